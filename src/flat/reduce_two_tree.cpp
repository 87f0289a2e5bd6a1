// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/reduce.hpp"

#include "core/ranks.hpp"
#include "flat/two_trees.hpp"

namespace echelon {

/// Two trees: the two-tree broadcast backwards. One half of the vector is reduced up one binary tree, the
/// other half up another, which has the leaves of the first as inner ranks.
///
/// Cost for 2X segments: 2X + up to 2 ceil(log2 p) messages of n/2X bytes, each combined.
/// Needs: a commutative operation.
/// Source: Sanders, Speck, Traeff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
/// 2009.
void reduce_two_tree(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    const auto trees = two_trees(link.size());
    const std::size_t length = segment_elements(args.segment, link.element_size());
    const Blocks halves(args.data, 2);
    const Segments segments[] = {{halves[0], length}, {halves[1], length}};
    const auto to_me = trees->to(turned.rank()), from_me = trees->from(turned.rank());
    Scratch scratch(link);
    const Slice buffer = scratch(segments[0].longest());

    const int rounds = trees->rounds(segments[0].size());
    for (int round = rounds - 1; round >= 0; --round) {
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        Slice into;
        for (const auto& edge : from_me)
            if (const auto k = segment_in_round(edge, round, segments[edge.tree].size())) {
                into = segments[edge.tree][*k];
                receiving = turned.start_receive(edge.to, buffer.part(0, into.count));
            }
        for (const auto& edge : to_me)
            if (const auto k = segment_in_round(edge, round, segments[edge.tree].size()))
                sending = turned.start_send(edge.from, segments[edge.tree][*k]);
        turned.wait(receiving);
        turned.wait(sending);
        if (receiving != Link::Ticket::none) turned.reduce(into, buffer.part(0, into.count), Side::after);
    }
}

Cost reduce_two_tree_cost(const Problem& problem) {
    const Segments half({0, (problem.bytes + 1) / 2}, problem.segment);
    const double length = double(half.longest());
    return (two_tree_rounds(problem.p, half.size()) * Cost{1, length, length})
        .with_latencies(floor_log2(problem.p) + (problem.p > 2 ? 1 : 0));
}

}  // namespace echelon
