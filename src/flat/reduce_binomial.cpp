// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Binomial tree: in step k the ranks at odd multiples of 2^k send their combined vector to the left.
///
///   p = 6     rank 0    rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    01        ->        23        ->        45        ->
///   step 1    0123                ->                  45
///   step 2    012345                                  ->
///
/// In rank order to root r, the ranks before r form a second tree; its root, rank 0, sends its result last.
///
/// Cost: q (alpha + n (beta + gamma)) with q = ceil(log2 p). If p is no power of two, the last combination
/// but one hides. X segments: q X (alpha + n/X beta) + q n/X gamma.  Needs: nothing.
/// Source: Rabenseifner 2004, section 3.3 ("binary tree").
void reduce_binomial(Link& link, const Args& args) {
    reduce_on_tree_to_root(link, args, [](int p) { return KnomialTree(p, 2); });
}

Cost reduce_binomial_cost(const Problem& problem) {
    return tree_reduce_cost(knomial_rounds(problem.p, 2), problem);
}

}  // namespace echelon
