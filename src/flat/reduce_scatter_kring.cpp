// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce_scatter.hpp"
#include "flat/ring_groups.hpp"

namespace echelon {

/// k-ring reduce-scatter: the k-ring allgather backwards. Rings inside groups of k consecutive ranks combine
/// the blocks of one group at a time; one step between the groups passes these on. Only p/k - 1 of the p - 1
/// steps leave a group.
///
/// k is lowered to a divisor of p; with k = 1 or k = p it is the ring.
///
/// Cost: (p - 1) alpha + n (p - 1)/p (beta + gamma).  Needs: a commutative operation.
/// Source: Wilkins et al., Generalized collective algorithms for the exascale era, 2023.
void reduce_scatter_kring(Link& link, const Args& args) {
    const RingGroups ring(link.size(), args.radix, link.rank());
    const auto block = [&](int group, int place) { return args.blocks[ring.at(group, place)]; };
    for (int turn = ring.groups() - 1; turn >= 0; --turn) {
        for (int step = ring.size() - 2; step >= 0; --step)
            link.exchange_reduce(ring.at(0, -1), block(-turn, -step - 1), ring.at(0, 1), block(-turn, -step),
                                 Side::after);
        if (turn > 0)
            link.exchange_reduce(ring.at(-1, 0), block(-turn, 0), ring.at(1, 0), block(-turn + 1, 0),
                                 Side::after);
    }
}

Cost reduce_scatter_kring_cost(const Problem& problem) { return reduce_scatter_ring_cost(problem); }

}  // namespace echelon
