// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cost.hpp"
#include "flat/algorithm.hpp"

namespace echelon {

/// The messages on the critical path of a tree, one-ported.
struct TreeRounds {
    /// Of one segment, from the last leaf to the root.
    double fill = 0;
    /// At the root for each segment: its children.
    double each = 0;
    /// Of `fill`: those after which all wait for the combination. The others are combined while the next
    /// message arrives.
    double exposed = 0;
    /// From the root to the farthest leaf.
    double depth = 0;
};

TreeRounds star_rounds(int p);
TreeRounds chain_rounds(int p);
/// Of the heap; the in-order tree to root 0 has the same shape.
TreeRounds binary_rounds(int p);
TreeRounds knomial_rounds(int p, int radix);

/// What reduce_on_tree() and bcast_on_tree() take: the first segment fills the tree, then the root is busy
/// with one segment after the other. With n segments of m_s bytes these are fill + (n - 1) each messages; in
/// a reduction `exposed` combinations of m_s bytes add to them, the others hide.
Cost tree_reduce_cost(const TreeRounds& rounds, const Problem& problem);
Cost tree_bcast_cost(const TreeRounds& rounds, const Problem& problem);

}  // namespace echelon
