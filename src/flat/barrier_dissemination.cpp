// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/barrier.hpp"

#include <algorithm>
#include <vector>

namespace echelon {

/// Dissemination: in step k every rank tells the rank 2^k further on, and hears from the rank 2^k before it,
/// what it has heard of so far. With radix k there are k - 1 messages in a step, 1, 2, .. k^step places on.
///
///   p = 5     rank 0 has heard of         radix 3
///   step 0    0 4                         0 4 3
///   step 1    0 4 3 2                     0 4 3 2 1
///   step 2    0 4 3 2 1
///
/// Cost: ceil(log2 p) alpha, which is the least possible; with radix k ceil(log_k p) steps of up to k - 1
/// messages that overlap.  Needs: nothing.
/// Source: Hensgen, Finkel, Manber 1988; "Bruck" in Pjesivac-Grbovic et al. 2005; n-way: Hoefler et al. 2006.
void barrier_dissemination(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    std::vector<Link::Ticket> tickets;
    for (long long distance = 1; distance < p; distance *= args.radix) {
        for (long long step = distance; step < p && step < distance * args.radix; step += distance) {
            tickets.push_back(link.start_receive(wrap(me - int(step), p), {}));
            tickets.push_back(link.start_send(wrap(me + int(step), p), {}));
        }
        for (const Link::Ticket ticket : tickets) link.wait(ticket);
        tickets.clear();
    }
}

Cost barrier_dissemination_cost(const Problem& problem) {
    Cost cost;
    for (long long distance = 1; distance < problem.p; distance *= problem.radix)
        cost = cost + Cost{double(std::min<long long>(problem.radix - 1, (problem.p - 1) / distance)), 0, 0}
                          .with_latencies(1);
    return cost;
}

}  // namespace echelon
