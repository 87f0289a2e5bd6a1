// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/scan.hpp"

namespace echelon {

/// Doubling like in scan, but only messages contain the rank's own contribution. A rank keeps two
/// combinations: of the ranks before it (its result), and of these and itself (for other ranks, until its
/// last message).
///
///   p = 5     rank 0    rank 1    rank 2    rank 3    rank 4       (results)
///   step 0    -         0         1         2         3
///   step 1    -         0         01        012       123
///   step 2    -         0         01        012       0123
///
/// Cost: q (alpha + n beta) and up to 2 (q - 1) n gamma with q = ceil(log2 p).  Needs: nothing.
void exscan_recursive_doubling(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    Scratch scratch(link);
    const Slice handed_on = scratch(args.data.count), received = scratch(args.data.count);
    link.copy(handed_on, args.data);
    for (int distance = 1; distance < p; distance *= 2) {
        const bool first = distance == 1, receives = me >= distance, sends = me + distance < p;
        const Slice before = first ? args.data : received;
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        if (receives) receiving = link.start_receive(me - distance, before);
        if (sends) sending = link.start_send(me + distance, handed_on);
        link.wait(receiving);
        link.wait(sending);
        if (!receives) continue;
        if (me + 2 * distance < p) link.reduce(handed_on, before, Side::before);
        if (!first) link.reduce(args.data, before, Side::before);
    }
}

Cost exscan_recursive_doubling_cost(const Problem& problem) {
    const double n = double(problem.bytes);
    Cost cost;
    for (int distance = 1; distance < problem.p; distance *= 2) {
        const bool hands_on = problem.p > 3 * distance, first = distance == 1;
        cost = cost + Cost{1, n, n * ((hands_on ? 1 : 0) + (first ? 0 : 1))};
    }
    return cost.with_latencies(floor_log2(problem.p));
}

}  // namespace echelon
