// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/barrier.hpp"

namespace echelon {

/// Double ring: a token goes around twice from rank 0. After the first round rank 0 knows that all have
/// begun; the second one tells the others, and ends at the last rank.
///
/// Cost: (2p - 1) alpha (0 for p = 1).  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void barrier_double_ring(Link& link, const Args&) {
    const int p = link.size(), me = link.rank();
    const int next = wrap(me + 1, p), prev = wrap(me - 1, p);
    if (p == 1) return;
    for (int round = 0; round < 2; ++round) {
        if (me != 0) link.receive(prev, {});
        if (round == 0 || me != p - 1) link.send(next, {});
        if (me == 0 && round == 0) link.receive(prev, {});
    }
}

Cost barrier_double_ring_cost(const Problem& problem) {
    return {problem.p == 1 ? 0.0 : 2.0 * problem.p - 1, 0, 0};
}

}  // namespace echelon
