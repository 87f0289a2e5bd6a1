// SPDX-License-Identifier: Apache-2.0
#include "flat/gather.hpp"
#include "flat/subtree_blocks.hpp"
#include "flat/tree_blocks.hpp"

namespace echelon {

/// Binomial tree: in step k ranks at distance 2^k from their parent send it the blocks of their subtree.
///
///   p = 6     rank 0        rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    0 1                     2 3                 4 5                  (blocks held)
///   step 1    0 1 2 3                                     4 5
///   step 2    0 1 2 3 4 5
///
/// Cost: ceil(log2 p) alpha + n (p - 1)/p beta.  Needs: nothing.
void gather_binomial(Link& link, const Args& args) {
    gather_on_subtrees(link, args, KnomialTree(link.size(), 2), args.root);
}

Cost gather_binomial_cost(const Problem& problem) { return tree_blocks_cost(problem); }

}  // namespace echelon
