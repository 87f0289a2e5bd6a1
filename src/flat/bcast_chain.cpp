// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// Chain: each rank receives from the left and passes on to the right. Segments make it a pipeline.
///
///   p = 4, 2 segments     rank 0      rank 1      rank 2      rank 3
///                         AB          A                                   (held by a rank)
///                                     AB          A
///                                                 AB          A
///                                                             AB
///
/// Cost for X segments: (p + X - 2)(alpha + n/X beta).  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005 ("pipeline").
void bcast_chain(Link& link, const Args& args) {
    bcast_on_tree_from_root(link, args, HeapTree(link.size(), 1));
}

Cost bcast_chain_cost(const Problem& problem) { return tree_bcast_cost(chain_rounds(problem.p), problem); }

}  // namespace echelon
