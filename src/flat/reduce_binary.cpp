// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Binary tree in the order of a heap, in segments.
///
///   p = 6:        0
///              1     2
///             3 4   5
///
/// Cost for X segments: (s + 2 (X - 1)) (alpha + n/X beta) + d n/X gamma with s = 2 (h - 1) for the h full
/// levels of p ranks, one more from a half-filled level on, and d about log2 p.  Needs: a commutative
/// operation.
/// Source: Hasanov and Lastovetsky 2016; Pjesivac-Grbovic et al. 2005.
void reduce_binary(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    reduce_on_tree(turned, args, HeapTree(link.size(), 2));
}

Cost reduce_binary_cost(const Problem& problem) {
    return tree_reduce_cost(binary_rounds(problem.p), problem);
}

}  // namespace echelon
