// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/link.hpp"
#include "flat/algorithm.hpp"
#include "flat/trees.hpp"

namespace echelon {

// Gathers and scatters on trees whose subtrees are runs of ranks. A message holds the blocks of a subtree,
// which are contiguous.

/// Gathers block r of `blocks` from every rank r to rank 0.
inline void gather_on_tree(Link& link, const Blocks& blocks, const KnomialTree& tree) {
    const int me = link.rank();
    for (int c = 0; c < tree.children(me); ++c) {
        const int child = tree.child(me, c).rank;
        link.receive(child, blocks.range(child, tree.run(child).end));
    }
    if (me != tree.root()) link.send(tree.parent(me), blocks.range(me, tree.run(me).end));
}

/// Scatters all blocks from rank 0; afterwards rank r has block r of `blocks`.
inline void scatter_on_tree(Link& link, const Blocks& blocks, const KnomialTree& tree) {
    const int me = link.rank();
    if (me != tree.root()) link.receive(tree.parent(me), blocks.range(me, tree.run(me).end));
    for (int c = tree.children(me) - 1; c >= 0; --c) {
        const int child = tree.child(me, c).rank;
        link.send(child, blocks.range(child, tree.run(child).end));
    }
}

/// Cost of either on a binomial tree of p equal blocks.
inline Cost tree_blocks_cost(const Problem& problem) {
    const double p = problem.p, n = double(problem.bytes);
    return Cost{double(ceil_log2(problem.p)), n * (p - 1) / p, 0}.with_latencies(floor_log2(problem.p));
}

}  // namespace echelon
