// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/reduce.hpp"
#include "flat/reduce_scatter.hpp"
#include "flat/tree_blocks.hpp"

namespace echelon {

/// Ring reduce-scatter, then a binomial gather of the blocks to the root.
///
/// Cost: (p - 1 + q) alpha + n (p - 1)/p (2 beta + gamma) with q = ceil(log2 p).
/// Needs: a commutative operation.
/// Source: Rabenseifner 2004, sections 3.2 and 3.7, with a direct gather.
void reduce_ring(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    reduce_scatter_ring(turned, phase);
    gather_on_tree(turned, phase.blocks, KnomialTree(link.size(), 2));
}

Cost reduce_ring_cost(const Problem& problem) {
    return reduce_scatter_ring_cost(problem) + tree_blocks_cost(problem);
}

}  // namespace echelon
