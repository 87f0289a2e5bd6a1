// SPDX-License-Identifier: Apache-2.0
#include "flat/gather.hpp"

#include <vector>

namespace echelon {

/// All other ranks send their block to the root, which has started all receives.
///
/// Cost, one message at a time: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
void gather_linear(Link& link, const Args& args) {
    if (link.rank() != args.root) return link.send(args.root, args.blocks[link.rank()]);
    std::vector<Link::Ticket> tickets;
    for (int from = 0; from < link.size(); ++from)
        if (from != args.root) tickets.push_back(link.start_receive(from, args.blocks[from]));
    for (const Link::Ticket ticket : tickets) link.wait(ticket);
}

Cost gather_linear_cost(const Problem& problem) {
    const double p = problem.p;
    return Cost{p - 1, double(problem.bytes) * (p - 1) / p, 0}.with_latencies(1);
}

}  // namespace echelon
