// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/turned_link.hpp"
#include "flat/algorithm.hpp"
#include "flat/send_window.hpp"
#include "flat/trees.hpp"

#include <algorithm>

namespace echelon {

/// Broadcasts from the root (rank 0) of a tree, segment by segment: while a rank passes a segment on, the
/// next one arrives. The largest subtree is served first. If a long vector goes in one segment, the deepest
/// subtrees are served before the others, which would share the network card with them.
template <class Tree>
void bcast_on_tree(Link& link, const Args& args, const Tree& tree) {
    const int me = link.rank();
    const bool receives = me != tree.root();
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    const auto start = [&](std::size_t i) {
        return receives && i < segments.size() ? link.start_receive(tree.parent(me), segments[i])
                                               : Link::Ticket::none;
    };

    std::size_t together = SendWindow::usual;
    if constexpr (requires { tree.in_a_round(); }) {
        constexpr Bytes much = 8 << 10;  // shorter vectors gain more from overlapping latencies
        if (segments.size() == 1 && args.data.count * link.element_size() >= much)
            together = std::min(together, tree.in_a_round());
    }
    SendWindow sends(link, together);
    Link::Ticket receiving = start(0);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        link.wait(receiving);
        receiving = start(i + 1);
        const int last = i + 1 == segments.size() ? 0 : -1;
        for (int c = tree.children(me) - 1; c > last; --c) sends.start(tree.child(me, c).rank, segments[i]);
        if (last == 0 && tree.children(me) > 0) sends.send_last(tree.child(me, 0).rank, segments[i]);
    }
    sends.finish();
}

/// Broadcasts from any root on a tree that is rooted at rank 0.
template <class Tree>
void bcast_on_tree_from_root(Link& link, const Args& args, const Tree& tree) {
    TurnedLink turned(link, args.root);
    bcast_on_tree(turned, args, tree);
}

}  // namespace echelon
