// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// Binary tree in the order of a heap, in segments.
///
///   p = 6:        0
///              1     2
///             3 4   5
///
/// Cost for X segments: (s + 2 (X - 1)) (alpha + n/X beta) with s = 2 (h - 1) for the h full levels of p
/// ranks, one more from a half-filled level on.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005 (its printed factor 2 belongs to beta as well).
void bcast_binary(Link& link, const Args& args) {
    bcast_on_tree_from_root(link, args, HeapTree(link.size(), 2));
}

Cost bcast_binary_cost(const Problem& problem) { return tree_bcast_cost(binary_rounds(problem.p), problem); }

}  // namespace echelon
