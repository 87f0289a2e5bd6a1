// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "core/turned_link.hpp"
#include "flat/bcast.hpp"

#include <vector>

namespace echelon {

/// Direct: the root deals its vector out to all others, and each passes its block to all but the root, with
/// all messages of a rank at once. The root sends every element once.
///
///   p = 4, root 0     rank 0    rank 1    rank 2    rank 3
///   dealt             ABC       A         B         C
///   passed            ABC       ABC       ABC       ABC
///
/// Cost, one message at a time: (2p - 3)(alpha + n/(p - 1) beta), p > 1.  Needs: nothing.
void bcast_direct(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    const int others = turned.size() - 1, me = turned.rank() - 1;  // the root is -1
    if (others == 0) return;
    const Blocks blocks(args.data, others);
    std::vector<Link::Ticket> tickets;
    if (me < 0) {
        for (int i = 0; i < others; ++i) tickets.push_back(turned.start_send(i + 1, blocks[i]));
    } else {
        const Link::Ticket dealt = turned.start_receive(0, blocks[me]);
        for (int distance = 1; distance < others; ++distance) {
            const int from = wrap(me - distance, others);
            tickets.push_back(turned.start_receive(from + 1, blocks[from]));
        }
        turned.wait(dealt);
        for (int distance = 1; distance < others; ++distance)
            tickets.push_back(turned.start_send(wrap(me + distance, others) + 1, blocks[me]));
    }
    for (const Link::Ticket ticket : tickets) turned.wait(ticket);
}

Cost bcast_direct_cost(const Problem& problem) {
    if (problem.p == 1) return {};
    const double others = problem.p - 1;
    return ((2 * others - 1) * Cost{1, double(problem.bytes) / others, 0}).with_latencies(2);
}

}  // namespace echelon
