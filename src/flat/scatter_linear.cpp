// SPDX-License-Identifier: Apache-2.0
#include "flat/scatter.hpp"

#include <vector>

namespace echelon {

/// The root sends each other rank its block, with all messages at once.
///
/// Cost, one message at a time: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
void scatter_linear(Link& link, const Args& args) {
    if (link.rank() != args.root) return link.receive(args.root, args.blocks[link.rank()]);
    std::vector<Link::Ticket> tickets;
    for (int to = 0; to < link.size(); ++to)
        if (to != args.root) tickets.push_back(link.start_send(to, args.blocks[to]));
    for (const Link::Ticket ticket : tickets) link.wait(ticket);
}

Cost scatter_linear_cost(const Problem& problem) {
    const double p = problem.p;
    return Cost{p - 1, double(problem.bytes) * (p - 1) / p, 0}.with_latencies(1);
}

}  // namespace echelon
