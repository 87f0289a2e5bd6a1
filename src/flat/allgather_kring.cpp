// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/ring_groups.hpp"

namespace echelon {

/// k-ring allgather: a ring runs inside every group of k consecutive ranks, then one step sends the blocks to
/// the next group, and again. Only p/k - 1 of the p - 1 steps leave a group.
///
///   p = 6, k = 3     group 0                     group 1
///   ring, 2 steps    its own blocks 0 1 2        its own blocks 3 4 5
///   across           gets 3 4 5, one each        gets 0 1 2, one each
///   ring, 2 steps    blocks 3 4 5                blocks 0 1 2
///
/// k is lowered to a divisor of p; with k = 1 or k = p it is the ring.
///
/// Cost: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Wilkins et al., Generalized collective algorithms for the exascale era, 2023.
void allgather_kring(Link& link, const Args& args) {
    const RingGroups ring(link.size(), args.radix, link.rank());
    const auto block = [&](int group, int place) { return args.blocks[ring.at(group, place)]; };
    for (int turn = 0; turn < ring.groups(); ++turn) {
        for (int step = 0; step < ring.size() - 1; ++step)
            link.exchange(ring.at(0, 1), block(-turn, -step), ring.at(0, -1), block(-turn, -step - 1));
        if (turn + 1 < ring.groups())
            link.exchange(ring.at(1, 0), block(-turn, 0), ring.at(-1, 0), block(-turn - 1, 0));
    }
}

Cost allgather_kring_cost(const Problem& problem) { return allgather_ring_cost(problem); }

}  // namespace echelon
