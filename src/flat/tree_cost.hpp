// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cost.hpp"
#include "flat/algorithm.hpp"

namespace echelon {

/// Number of messages on the critical path of a tree, one-ported.
struct TreeRounds {
    /// Messages of one segment from the last leaf to the root.
    double fill = 0;
    /// Messages at the root for each segment: its number of children.
    double each = 0;
    /// Messages of `fill` with a combination that delays the next message. All other combinations overlap
    /// with the arrival of the next message.
    double exposed = 0;
    /// Messages from the root to the farthest leaf.
    double depth = 0;
};

TreeRounds star_rounds(int p);
TreeRounds chain_rounds(int p);
/// Rounds of the heap; the in-order tree to root 0 has the same shape.
TreeRounds binary_rounds(int p);
TreeRounds knomial_rounds(int p, int radix);
TreeRounds postal_rounds(int p, int lag);

/// Cost of reduce_on_tree() and bcast_on_tree(). The first segment fills the tree, then the root handles one
/// segment after the other. n segments of m_s bytes take fill + (n - 1) each messages. A reduction adds
/// `exposed` combinations of m_s bytes; the others hide.
Cost tree_reduce_cost(const TreeRounds& rounds, const Problem& problem);
Cost tree_bcast_cost(const TreeRounds& rounds, const Problem& problem);

}  // namespace echelon
