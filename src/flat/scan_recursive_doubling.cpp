// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/scan.hpp"

namespace echelon {

/// Doubling: in step k a rank sends its combination to the rank 2^k places further on. Every rank then covers
/// twice as many ranks up to itself.
///
///   p = 5     rank 0    rank 1    rank 2    rank 3    rank 4
///   step 0    0         01        12        23        34
///   step 1    0         01        012       0123      1234
///   step 2    0         01        012       0123      01234
///
/// Cost: ceil(log2 p) (alpha + n beta + n gamma).  Needs: nothing.
/// Source: Hillis and Steele 1986.
void scan_recursive_doubling(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    for (int distance = 1; distance < p; distance *= 2) {
        Scratch scratch(link);
        const Slice before = scratch(args.data.count);
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        if (me >= distance) receiving = link.start_receive(me - distance, before);
        if (me + distance < p) sending = link.start_send(me + distance, args.data);
        link.wait(receiving);
        link.wait(sending);
        if (me >= distance) link.reduce(args.data, before, Side::before);
    }
}

Cost scan_recursive_doubling_cost(const Problem& problem) {
    const double n = double(problem.bytes);
    return (ceil_log2(problem.p) * Cost{1, n, n}).with_latencies(floor_log2(problem.p));
}

}  // namespace echelon
