// SPDX-License-Identifier: Apache-2.0
#include "flat/barrier.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Recursive doubling: in step k partners at distance 2^k exchange messages. Extra ranks send to a neighbour
/// first and receive from it at the end.
///
/// Cost: f alpha for p = 2^f, else (f + 2) alpha with f = floor(log2 p).  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void barrier_recursive_doubling(Link& link, const Args&) {
    const int me = link.rank();
    const Fold fold(link.size());
    if (fold.role(me) == Fold::Role::extra) link.send(fold.partner(me), {});
    if (fold.role(me) == Fold::Role::proxy) link.receive(fold.partner(me), {});
    if (fold.role(me) != Fold::Role::extra) {
        const Butterfly butterfly(fold.size(), fold.virtual_rank(me), Butterfly::Order::near_first);
        for (int step = 0; step < butterfly.steps(); ++step) {
            const int peer = fold.rank(butterfly.peer(step));
            link.exchange(peer, {}, peer, {});
        }
    }
    unfold(link, fold, {});
}

Cost barrier_recursive_doubling_cost(const Problem& problem) {
    const Fold fold(problem.p);
    const Cost butterfly{double(floor_log2(problem.p)), 0, 0};
    return fold.pairs() == 0 ? butterfly : butterfly + Cost{2, 0, 0}.with_latencies(1);
}

}  // namespace echelon
