// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/turned_link.hpp"
#include "flat/algorithm.hpp"
#include "flat/send_window.hpp"
#include "flat/trees.hpp"

#include <array>

namespace echelon {

/// Most operands of a rank that arrive at the same time.
constexpr std::size_t most_operands_at_once = 8;

/// Reduces towards the root of a tree, segment by segment. While a rank combines a segment of one child and
/// sends complete segments on, the next one arrives; from a single child the next two, which come in order.
/// Long messages of several children would keep each other waiting. Leaves only send. `at_once`: number of
/// operands of a short vector with a buffer.
template <class Tree>
void reduce_on_tree(Link& link, const Args& args, const Tree& tree, std::size_t at_once = 2) {
    const int me = link.rank(), children = tree.children(me);
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    const std::size_t operands = segments.size() * std::size_t(children);

    constexpr Bytes long_one = 32 << 10;  // takes long beside its latency
    const bool is_short = segments.size() == 1 && args.data.count * link.element_size() < long_one;
    const std::size_t buffered = is_short ? at_once : children == 1 ? 3 : 2, ahead = buffered - 1;
    Scratch scratch(link);
    std::array<Slice, most_operands_at_once> buffers;
    for (std::size_t i = 0; i < std::min(operands, buffered); ++i) buffers[i] = scratch(segments.longest());
    const auto buffer = [&](std::size_t i, std::size_t segment) {
        return buffers[i % buffered].part(0, segments[segment].count);
    };
    // Operand i comes from child i % children and belongs to segment i / children.
    const auto start = [&](std::size_t i) {
        if (i >= operands) return Link::Ticket::none;
        const auto number = std::size_t(children);
        return link.start_receive(tree.child(me, int(i % number)).rank, buffer(i, i / number));
    };

    SendWindow sends(link);
    std::array<Link::Ticket, most_operands_at_once> receiving;
    for (std::size_t i = 0; i < ahead; ++i) receiving[i] = start(i);
    std::size_t i = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        for (int c = 0; c < children; ++c, ++i) {
            link.wait(receiving[i % buffered]);
            receiving[(i + ahead) % buffered] = start(i + ahead);
            link.reduce(segments[s], buffer(i, s), tree.child(me, c).side);
        }
        if (me == tree.root()) continue;
        if (s + 1 < segments.size())
            sends.start(tree.parent(me), segments[s]);
        else
            sends.send_last(tree.parent(me), segments[s]);
    }
    sends.finish();
}

/// Reduces to any root on a tree that is rooted at rank 0. `make(p)` is the tree of p ranks. If rank order
/// matters, the ranks from the root on form one tree and the ranks before it another; otherwise the ranks are
/// renumbered.
template <class MakeTree>
void reduce_on_tree_to_root(Link& link, const Args& args, MakeTree make, std::size_t at_once = 2) {
    const int p = link.size();
    if (args.in_order) {
        reduce_on_tree(link, args, OrderedAtRoot(make(args.root), make(p - args.root), args.root), at_once);
    } else {
        TurnedLink turned(link, args.root);
        reduce_on_tree(turned, args, make(p), at_once);
    }
}

}  // namespace echelon
