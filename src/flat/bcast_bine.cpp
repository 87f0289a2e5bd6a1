// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/bcast.hpp"
#include "flat/bine.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// Bine tree: the rounds of a binomial tree with other partners. Each rank that has the vector sends it to
/// the mirror image of itself in the other half of its run of ranks.
///
///   p = 6, ranks on a circle     step 0: 0 -> 2     step 1: 0 -> 5, 2 -> 3     step 2: 0 -> 1, 5 -> 4
///
/// Cost: q (alpha + n beta) with q = ceil(log2 p); in X segments X q (alpha + n/X beta).  Needs: nothing.
/// Source: De Sensi et al. 2025, distance-halving tree; for p no power of two the rest is smaller.
void bcast_bine(Link& link, const Args& args) {
    const int p = link.size(), center = BineTree::center(p);
    TurnedLink turned(link, wrap(args.root - center, p));
    bcast_on_tree(turned, args, BineTree(p, center));
}

Cost bcast_bine_cost(const Problem& problem) {
    return tree_bcast_cost(knomial_rounds(problem.p, 2), problem);
}

}  // namespace echelon
