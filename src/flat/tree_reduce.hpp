// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/turned_link.hpp"
#include "flat/algorithm.hpp"
#include "flat/send_window.hpp"
#include "flat/trees.hpp"

#include <array>

namespace echelon {

/// Reduces towards the root of a tree, segment by segment. While a rank combines a segment of one child and
/// sends complete segments on, the next one arrives. From a single child two are under way: they come in
/// order, and the second waits for nothing. Messages of several children would keep each other waiting.
/// Leaves only send.
template <class Tree>
void reduce_on_tree(Link& link, const Args& args, const Tree& tree) {
    const int me = link.rank(), children = tree.children(me);
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    const std::size_t operands = segments.size() * std::size_t(children);

    constexpr std::size_t most = 3;
    const std::size_t room = children == 1 ? most : 2;  // for one operand, and the ones under way
    Scratch scratch(link);
    std::array<Slice, most> buffers;
    std::array<Link::Ticket, most> receiving;
    for (std::size_t i = 0; i < std::min(operands, room); ++i) buffers[i] = scratch(segments.longest());
    const auto buffer = [&](std::size_t i, std::size_t segment) {
        return buffers[i % room].part(0, segments[segment].count);
    };
    // Operand i comes from child i % children and belongs to segment i / children.
    const auto start = [&](std::size_t i) {
        if (i >= operands) return;
        const auto number = std::size_t(children);
        receiving[i % room] = link.start_receive(tree.child(me, int(i % number)).rank, buffer(i, i / number));
    };

    SendWindow sends(link);
    for (std::size_t i = 0; i + 1 < room; ++i) start(i);
    std::size_t i = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        for (int c = 0; c < children; ++c, ++i) {
            link.wait(receiving[i % room]);
            start(i + room - 1);
            link.reduce(segments[s], buffer(i, s), tree.child(me, c).side);
        }
        if (me != tree.root()) sends.start(tree.parent(me), segments[s]);
    }
    sends.finish();
}

/// Reduces to any root on a tree that is rooted at rank 0. `make(p)` is the tree of p ranks. If rank order
/// matters, the ranks from the root on form one tree and the ranks before it another; otherwise the ranks are
/// renumbered.
template <class MakeTree>
void reduce_on_tree_to_root(Link& link, const Args& args, MakeTree make) {
    const int p = link.size();
    if (args.in_order) {
        reduce_on_tree(link, args, OrderedAtRoot(make(args.root), make(p - args.root), args.root));
    } else {
        TurnedLink turned(link, args.root);
        reduce_on_tree(turned, args, make(p));
    }
}

}  // namespace echelon
