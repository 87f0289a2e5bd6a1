// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"

#include <algorithm>
#include <vector>

namespace echelon {

/// All messages at once: every rank starts to receive from and to send to all others, nearest first to the
/// right, and waits for all of them. A window of w lets at most w messages each way be under way: a further
/// one starts when the oldest has ended both ways.
///
/// Cost, one message at a time: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void alltoall_linear(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const int window = args.radix == 0 ? p : std::min(args.radix, p);
    const auto [to_blocks, from_blocks] = ExchangedBlocks(args, p);
    std::vector<Link::Ticket> tickets;
    const auto finish = [&](int step) {
        for (std::size_t i = 2 * std::size_t(step) - 2; i < 2 * std::size_t(step); ++i) link.wait(tickets[i]);
    };
    for (int step = 1; step < p; ++step) {
        if (step > window) finish(step - window);
        const int to = wrap(me + step, p), from = wrap(me - step, p);
        tickets.push_back(link.start_receive(from, from_blocks[from]));
        tickets.push_back(link.start_send(to, to_blocks[to]));
    }
    link.copy(from_blocks[me], to_blocks[me]);
    for (int step = std::max(p - window, 1); step < p; ++step) finish(step);
}

Cost alltoall_linear_cost(const Problem& problem) {
    const int p = problem.p, messages = p - 1;
    const int window = problem.radix == 0 ? p : std::min(problem.radix, p);
    const double share = double(problem.bytes) / p;
    return Cost{double(messages), messages * share, 0}.with_latencies((messages + window - 1) / window);
}

}  // namespace echelon
