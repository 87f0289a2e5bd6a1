// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// K-nomial tree: a binomial tree with k - 1 children per level, for networks with overlapping messages.
///
///   k = 3, p = 9     rank 0       rank 3       rank 6
///   level 0          012          345          678         (from their next two ranks)
///   level 1          0-8          ->           ->
///
/// Cost with q = ceil(log_k p), one message at a time: q (k - 1) (alpha + n beta) + q n gamma for p = k^q;
/// all combinations but the first of a level hide.  Needs: nothing.
/// Source: Wilkins et al. 2023.
void reduce_knomial(Link& link, const Args& args) {
    reduce_on_tree_to_root(link, args, [&](int p) { return KnomialTree(p, args.radix); });
}

Cost reduce_knomial_cost(const Problem& problem) {
    return tree_reduce_cost(knomial_rounds(problem.p, problem.radix), problem);
}

}  // namespace echelon
