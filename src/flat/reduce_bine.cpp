// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/bine.hpp"
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Bine tree, the reverse of bcast bine: a rank combines its run of ranks, which grows on alternating sides.
///
///   p = 6     rank 0    rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    01        ->        23        ->        ->        45
///   step 1    4501                                              ->
///   step 2    450123              ->
///
/// In rank order the runs do not pass the end of the ranks. The root then lies anywhere in its run, and the
/// number of rounds stays the same.
///
/// Cost: q (alpha + n (beta + gamma)) with q = ceil(log2 p). If p is no power of two, the last combination
/// but one hides. X segments: q X (alpha + n/X beta) + q n/X gamma.  Needs: nothing.
/// Source: De Sensi et al. 2025, distance-halving tree; rank order and p no power of two are ours.
void reduce_bine(Link& link, const Args& args) {
    const int p = link.size();
    if (args.in_order) {
        reduce_on_tree(link, args, BineTree(p, args.root));
    } else {
        const int center = BineTree::center(p);
        TurnedLink turned(link, wrap(args.root - center, p));
        reduce_on_tree(turned, args, BineTree(p, center));
    }
}

Cost reduce_bine_cost(const Problem& problem) {
    return tree_reduce_cost(knomial_rounds(problem.p, 2), problem);
}

}  // namespace echelon
