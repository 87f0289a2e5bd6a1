// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Binomial tree: in step k the ranks at odd multiples of 2^k send all they have to the left.
///
///   p = 6     rank 0    rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    01        ->        23        ->        45        ->
///   step 1    0123                ->                  45
///   step 2    012345                                  ->
///
/// In rank order to root r, the ranks before r make a tree of their own, whose result rank 0 sends last.
///
/// Cost: q (alpha + n (beta + gamma)) with q = ceil(log2 p), where the last combination but one hides if p is
/// no power of two. X segments: q X (alpha + n/X beta) + q n/X gamma.  Needs: nothing.
/// Source: Rabenseifner 2004, section 3.3 ("binary tree").
void reduce_binomial(Link& link, const Args& args) {
    reduce_on_tree_to_root(link, args, [](int p) { return KnomialTree(p, 2); });
}

Cost reduce_binomial_cost(const Problem& problem) {
    return tree_reduce_cost(knomial_rounds(problem.p, 2), problem);
}

}  // namespace echelon
