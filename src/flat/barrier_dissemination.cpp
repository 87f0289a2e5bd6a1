// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/barrier.hpp"

#include <algorithm>
#include <vector>

namespace echelon {

/// Dissemination: in step k every rank tells the rank 2^k places further on of all ranks that it has heard
/// of, and hears from the rank 2^k places before. With radix k a step has k - 1 messages, to the ranks 1, 2,
/// .. k - 1 times k^step places further on.
///
///   p = 5     rank 0 has heard of         radix 3
///   step 0    0 4                         0 4 3
///   step 1    0 4 3 2                     0 4 3 2 1
///   step 2    0 4 3 2 1
///
/// Cost: ceil(log2 p) alpha, the least possible. With radix k: ceil(log_k p) steps of up to k - 1 messages
/// that overlap.  Needs: nothing.
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
