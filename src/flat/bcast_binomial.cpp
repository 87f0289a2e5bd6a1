// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// Binomial tree: in every step each rank that has the vector sends it to a rank that lacks it.
///
///   p = 6     step 0: 0 -> 4     step 1: 0 -> 2     step 2: 0 -> 1, 2 -> 3, 4 -> 5
///
/// Cost: q (alpha + n beta) with q = ceil(log2 p); in X segments X q (alpha + n/X beta).  Needs: nothing.
/// Source: Rabenseifner 2004; Pjesivac-Grbovic et al. 2005.
void bcast_binomial(Link& link, const Args& args) {
    bcast_on_tree_from_root(link, args, KnomialTree(link.size(), 2));
}

Cost bcast_binomial_cost(const Problem& problem) {
    return tree_bcast_cost(knomial_rounds(problem.p, 2), problem);
}

}  // namespace echelon
