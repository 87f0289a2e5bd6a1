// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/allgather.hpp"
#include "flat/bcast.hpp"
#include "flat/tree_blocks.hpp"

namespace echelon {

/// Binomial scatter of p blocks, then a ring allgather, in which only neighbours communicate.
///
/// Cost: (q + p - 1) alpha + 2n (p - 1)/p beta with q = ceil(log2 p).  Needs: nothing.
/// Source: Thakur, Rabenseifner, Gropp 2005.
void bcast_ring(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    scatter_on_tree(turned, phase.blocks, KnomialTree(link.size(), 2));
    allgather_ring(turned, phase);
}

Cost bcast_ring_cost(const Problem& problem) {
    return tree_blocks_cost(problem) + allgather_ring_cost(problem);
}

}  // namespace echelon
