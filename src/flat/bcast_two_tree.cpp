// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/bcast.hpp"

#include "core/ranks.hpp"
#include "flat/two_trees.hpp"

namespace echelon {

/// Two trees: one half of the vector goes down one binary tree, the other half down another, which has the
/// leaves of the first as inner ranks. All ranks receive and send a segment in nearly every round.
///
/// Cost for 2X segments: 2X + up to 2 ceil(log2 p) messages of n/2X bytes.  Needs: nothing.
/// Source: Sanders, Speck, Traeff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
/// 2009.
void bcast_two_tree(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    const auto trees = two_trees(link.size());
    const std::size_t length = segment_elements(args.segment, link.element_size());
    const Blocks halves(args.data, 2);
    const Segments segments[] = {{halves[0], length}, {halves[1], length}};
    const auto to_me = trees->to(turned.rank()), from_me = trees->from(turned.rank());

    const int rounds = trees->rounds(segments[0].size());
    for (int round = 0; round < rounds; ++round) {
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        for (const auto& edge : to_me)
            if (const auto k = segment_in_round(edge, round, segments[edge.tree].size()))
                receiving = turned.start_receive(edge.from, segments[edge.tree][*k]);
        for (const auto& edge : from_me)
            if (const auto k = segment_in_round(edge, round, segments[edge.tree].size()))
                sending = turned.start_send(edge.to, segments[edge.tree][*k]);
        turned.wait(receiving);
        turned.wait(sending);
    }
}

Cost bcast_two_tree_cost(const Problem& problem) {
    const Segments half({0, (problem.bytes + 1) / 2}, problem.segment);
    const double length = double(half.longest());
    return (two_tree_rounds(problem.p, half.size()) * Cost{1, length, 0})
        .with_latencies(floor_log2(problem.p) + (problem.p > 2 ? 1 : 0));
}

}  // namespace echelon
