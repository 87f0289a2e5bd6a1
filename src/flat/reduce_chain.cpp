// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Chain: each rank combines its vector with the one from the right and passes the result to the left.
/// Segments make it a pipeline.
///
///   p = 4, 2 segments     rank 0      rank 1      rank 2     rank 3
///                                                 A:23       A:3         (held by a rank)
///                                     A:123       B:23       B:3
///                         A:0123      B:123
///                         B:0123
///
/// In rank order to a root in the middle, one chain comes from each side.
///
/// Cost for X segments: (p + X - 2)(alpha + n/X beta) + (p - 1) n/X gamma: a segment is combined while the
/// next one arrives. If combining is slower, (p - 1)(alpha + n/X (beta + gamma)) + (X - 1) n/X gamma.
/// Needs: nothing.
/// Source: Hasanov and Lastovetsky 2016; Pjesivac-Grbovic et al. 2005.
void reduce_chain(Link& link, const Args& args) {
    reduce_on_tree_to_root(link, args, [](int p) { return HeapTree(p, 1); });
}

Cost reduce_chain_cost(const Problem& problem) { return tree_reduce_cost(chain_rounds(problem.p), problem); }

}  // namespace echelon
