// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// K-nomial tree: a binomial tree with k - 1 children per level, for networks with overlapping messages.
///
///   k = 3, p = 9     level 1: 0 -> 6, 0 -> 3     level 0: r -> r + 2, r -> r + 1  (r = 0, 3, 6)
///
/// Cost with q = ceil(log_k p), one message at a time: q (k - 1) (alpha + n beta) for p = k^q.
/// Needs: nothing.
/// Source: Wilkins et al. 2023.
void bcast_knomial(Link& link, const Args& args) {
    bcast_on_tree_from_root(link, args, KnomialTree(link.size(), args.radix));
}

Cost bcast_knomial_cost(const Problem& problem) {
    return tree_bcast_cost(knomial_rounds(problem.p, problem.radix), problem);
}

}  // namespace echelon
