// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/operands_at_once.hpp"
#include "flat/reduce.hpp"

#include <optional>
#include <vector>

namespace echelon {

/// Direct: every rank but the root combines one block of all ranks' vectors and sends it to the root, with
/// all messages of a rank at once. The root receives every element once.
///
///   p = 4, root 0     rank 0    rank 1    rank 2    rank 3
///   combined                    A         B         C
///   collected         ABC
///
/// Cost, one message at a time: 2(p - 1) alpha + n (2 beta + gamma), p > 1.  Needs: space for a vector.
void reduce_direct(Link& link, const Args& args) {
    const int p = link.size(), others = p - 1, me = link.rank();
    if (others == 0) return;
    const Blocks blocks(args.data, others);
    const auto block = [&](int rank) { return blocks[wrap(rank - args.root - 1, p)]; };
    std::optional<OperandsAtOnce> operands;
    if (me != args.root) operands.emplace(link, block(me), args.in_order);
    std::vector<Link::Ticket> tickets;
    const auto finish = [&] {
        for (const Link::Ticket ticket : tickets) link.wait(ticket);
        tickets.clear();
    };
    for (int distance = 1; distance < p; ++distance)
        if (const int to = wrap(me + distance, p); to != args.root)
            tickets.push_back(link.start_send(to, block(to)));
    if (me != args.root) {
        operands->combine();
        tickets.push_back(link.start_send(args.root, block(me)));
    } else {
        finish();  // the receives overwrite the elements that were sent
        for (int from = 0; from < p; ++from)
            if (from != me) tickets.push_back(link.start_receive(from, block(from)));
    }
    finish();
}

Cost reduce_direct_cost(const Problem& problem) {
    if (problem.p == 1) return {};
    const double n = double(problem.bytes);
    return Cost{2.0 * (problem.p - 1), 2 * n, n}.with_latencies(2);
}

}  // namespace echelon
