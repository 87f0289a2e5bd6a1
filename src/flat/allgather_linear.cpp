// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allgather.hpp"

#include <vector>

namespace echelon {

/// All messages at once: every rank sends its block to all others, nearest first to the right, and receives
/// theirs. If messages overlap, it takes a single latency.
///
/// Cost, one message at a time: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
void allgather_linear(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    std::vector<Link::Ticket> tickets;
    for (int step = 1; step < p; ++step) {
        const int to = wrap(me + step, p), from = wrap(me - step, p);
        tickets.push_back(link.start_receive(from, args.blocks[from]));
        tickets.push_back(link.start_send(to, args.blocks[me]));
    }
    for (const Link::Ticket ticket : tickets) link.wait(ticket);
}

Cost allgather_linear_cost(const Problem& problem) { return allgather_ring_cost(problem).with_latencies(1); }

}  // namespace echelon
