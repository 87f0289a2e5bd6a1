// SPDX-License-Identifier: Apache-2.0
#include "flat/scan.hpp"

namespace echelon {

/// Messages travel 1, 2, 3, 6, 12, .. places. The first message is a rank's contribution, the second this
/// with the one before it. From then on a rank sends its result, which holds the ranks before it: each
/// message is combined once, where recursive_doubling combines most of them twice.
///
///   p = 7     rank 0    rank 1    rank 2    rank 3    rank 4    rank 5    rank 6       (results)
///   by 1      -         0         1         2         3         4         5
///   by 2      -         0         01        012       123       234       345
///   by 3      -         0         01        012       0123      01234     012345
///
/// Cost for p > 3: q (alpha + n beta + n gamma) with q = ceil(log2(p - 1) + log2(4/3)), at most one round
/// more than recursive_doubling.  Needs: nothing.
/// Source: Traeff 2025, 123-doubling.
void exscan_123_doubling(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    Scratch scratch(link);
    const Slice received = scratch(args.data.count),
                handed_on = me == 0 ? args.data : scratch(args.data.count);
    if (me > 0) link.copy(handed_on, args.data);
    for (int distance = 1; distance < p; distance += distance < 3 ? 1 : distance) {
        const bool with_own = distance < 3;  // later messages hold no contribution of their sender
        const int first_sender = with_own ? 0 : 1;
        const bool receives = me >= distance + first_sender, sends = me >= first_sender && me + distance < p;
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        if (receives) receiving = link.start_receive(me - distance, distance == 1 ? args.data : received);
        if (sends) sending = link.start_send(me + distance, with_own ? handed_on : args.data);
        link.wait(receiving);
        link.wait(sending);
        if (!receives) continue;
        if (distance > 1) link.reduce(args.data, received, Side::before);
        if (distance == 1 && me + 2 < p) link.reduce(handed_on, args.data, Side::before);
    }
}

Cost exscan_123_doubling_cost(const Problem& problem) {
    const int others = problem.p - 1;
    if (others == 0) return {};
    int rounds = 1, reached = 1;  // contributions in a result
    for (; reached < others; ++rounds) reached = reached < 3 ? 3 : 2 * reached;
    const double n = double(problem.bytes), combined = others < 3 ? rounds - 1 : rounds;
    return Cost{double(rounds), rounds * n, combined * n}.with_latencies(reached == others ? rounds
                                                                                           : rounds - 1);
}

}  // namespace echelon
