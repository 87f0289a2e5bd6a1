// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Chain: each rank adds its operands to what comes from the right, and passes it to the left. In segments it
/// is a pipeline.
///
///   p = 4, 2 segments     rank 0      rank 1      rank 2     rank 3
///                                                 A:23       A:3         (what a rank holds)
///                                     A:123       B:23       B:3
///                         A:0123      B:123
///                         B:0123
///
/// In rank order to a root inside, one chain comes from each side.
///
/// Cost for X segments: (p + X - 2)(alpha + n/X beta) + (p - 1) n/X gamma: a segment is combined while the
/// next one arrives. Where combining is slower, (p - 1)(alpha + n/X (beta + gamma)) + (X - 1) n/X gamma.
/// Needs: nothing.
/// Source: Hasanov and Lastovetsky 2016; Pjesivac-Grbovic et al. 2005.
void reduce_chain(Link& link, const Args& args) {
    reduce_on_tree_to_root(link, args, [](int p) { return HeapTree(p, 1); });
}

Cost reduce_chain_cost(const Problem& problem) { return tree_reduce_cost(chain_rounds(problem.p), problem); }

}  // namespace echelon
