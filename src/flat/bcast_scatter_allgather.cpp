// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/allgather.hpp"
#include "flat/bcast.hpp"
#include "flat/tree_blocks.hpp"

namespace echelon {

/// Binomial scatter of p blocks, then an allgather in few steps: doubling for powers of two, circulant
/// otherwise.
///
///   p = 4     rank 0         rank 1         rank 2         rank 3
///   scatter   ABCD                          CD                       (held by a rank)
///   scatter   AB CD          B              CD             D
///   doubling  ABCD           AB             CD             CD
///   doubling  ABCD           ABCD           ABCD           ABCD
///
/// Cost: 2q alpha + 2n (p - 1)/p beta with q = ceil(log2 p).  Needs: nothing.
/// Source: van de Geijn and Watts 1994; Thakur, Rabenseifner, Gropp 2005; the circulant of Traeff 2024.
void bcast_scatter_allgather(Link& link, const Args& args) {
    const int p = link.size();
    TurnedLink turned(link, args.root);
    Args phase = args;
    phase.blocks = Blocks(args.data, p);
    scatter_on_tree(turned, phase.blocks, KnomialTree(p, 2));
    is_power_of_two(p) ? allgather_doubling(turned, phase) : allgather_circulant(turned, phase);
}

Cost bcast_scatter_allgather_cost(const Problem& problem) {
    return tree_blocks_cost(problem) +
           (is_power_of_two(problem.p) ? allgather_doubling_cost : allgather_circulant_cost)(problem);
}

}  // namespace echelon
