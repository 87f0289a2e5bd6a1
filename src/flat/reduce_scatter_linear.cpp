// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/operands_at_once.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// All messages at once: every rank sends each other rank its contribution to that rank's block, and combines
/// the contributions to its own. If messages overlap, it takes a single latency. A window of w lets at most w
/// of them arrive at a time: others arrive while a rank combines.
///
///   w = 2     arrives     0 1      2        3
///             combined         0    1    2    3
///
/// Cost, one message at a time: (p - 1) alpha + n (p - 1)/p (beta + gamma).  Needs: space for w blocks,
/// without a window for p - 1.
void reduce_scatter_linear(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    OperandsAtOnce operands(link, args.blocks[me], std::size_t(args.radix == 0 ? p : args.radix),
                            args.in_order);
    std::vector<Link::Ticket> sends;
    for (int distance = 1; distance < p; ++distance) {
        const int to = wrap(me + distance, p);
        sends.push_back(link.start_send(to, args.blocks[to]));
    }
    operands.combine();
    for (const Link::Ticket ticket : sends) link.wait(ticket);
}

Cost reduce_scatter_linear_cost(const Problem& problem) {
    return reduce_scatter_pairwise_cost(problem).with_latencies(1);
}

}  // namespace echelon
