// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"

#include <vector>

namespace echelon {

/// All messages at once: every rank starts to receive from and to send to all others, nearest first to the
/// right, and waits for all of them.
///
/// Cost, one message at a time: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void alltoall_linear(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const Blocks from_blocks(args.data, p), to_blocks(args.input, p);
    std::vector<Link::Ticket> tickets;
    for (int step = 1; step < p; ++step) {
        const int to = wrap(me + step, p), from = wrap(me - step, p);
        tickets.push_back(link.start_receive(from, from_blocks[from]));
        tickets.push_back(link.start_send(to, to_blocks[to]));
    }
    link.copy(from_blocks[me], to_blocks[me]);
    for (const Link::Ticket ticket : tickets) link.wait(ticket);
}

Cost alltoall_linear_cost(const Problem& problem) {
    const double p = problem.p;
    return Cost{p - 1, double(problem.bytes) * (p - 1) / p, 0}.with_latencies(1);
}

}  // namespace echelon
