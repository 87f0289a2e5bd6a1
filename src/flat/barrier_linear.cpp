// SPDX-License-Identifier: Apache-2.0
#include "flat/barrier.hpp"

namespace echelon {

/// Flat fan-in and fan-out: all other ranks send to rank 0, then rank 0 sends to all of them.
///
/// Cost: 2(p - 1) alpha, one message at a time.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void barrier_linear(Link& link, const Args&) {
    const int p = link.size();
    if (link.rank() != 0) {
        link.send(0, {});
        link.receive(0, {});
        return;
    }
    for (int from = 1; from < p; ++from) link.receive(from, {});
    for (int to = 1; to < p; ++to) link.send(to, {});
}

Cost barrier_linear_cost(const Problem& problem) {
    return Cost{2.0 * (problem.p - 1), 0, 0}.with_latencies(2);
}

}  // namespace echelon
