// SPDX-License-Identifier: Apache-2.0
#include "flat/bine.hpp"
#include "flat/scatter.hpp"
#include "flat/subtree_blocks.hpp"
#include "flat/tree_blocks.hpp"

namespace echelon {

/// Bine tree: a rank that has the blocks of a run sends those of the other half to its mirror image there.
///
///   p = 6     rank 0         rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    4 5 0 1                  2 3                                      (blocks held)
///   step 1    0 1                      2         3                   4 5
///   step 2    0              1         2         3         4         5
///
/// Cost: ceil(log2 p) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: De Sensi et al. 2025; for p no power of two the last run is shorter.
void scatter_bine(Link& link, const Args& args) {
    const int p = link.size(), center = BineTree::center(p);
    scatter_on_subtrees(link, args, BineTree(p, center), wrap(args.root - center, p));
}

Cost scatter_bine_cost(const Problem& problem) { return tree_blocks_cost(problem); }

}  // namespace echelon
