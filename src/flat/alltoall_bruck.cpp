// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace echelon {
namespace {

/// The blocks whose numbers have `digit` at the place of `distance`, a power of the radix. They travel
/// `digit` times `distance` ranks.
struct Travellers {
    long distance;
    int digit, radix, p;

    int ranks() const { return int(digit * distance); }
    /// Calls `each(first, count)` for every run of consecutive blocks.
    template <class Each>
    void runs(const Each& each) const {
        for (long first = digit * distance; first < p; first += radix * distance)
            each(std::size_t(first), std::size_t(std::min(distance, p - first)));
    }
    std::size_t count() const {
        std::size_t blocks = 0;
        runs([&](std::size_t, std::size_t count) { blocks += count; });
        return blocks;
    }
};

/// The travellers of a round, by digit.
std::vector<Travellers> round_of(long distance, int radix, int p) {
    std::vector<Travellers> made;
    for (int digit = 1; digit < radix && digit * distance < p; ++digit)
        made.push_back({distance, digit, radix, p});
    return made;
}

/// The blocks of some travellers in a row.
struct Packed {
    Travellers who;
    Slice blocks;

    /// Calls `each(carried, packed)` for the two places of every run; `length`: elements of a block.
    template <class Each>
    void runs(const Slice& carried, std::size_t length, const Each& each) const {
        std::size_t at = 0;
        who.runs([&](std::size_t first, std::size_t count) {
            each(carried.part(first * length, count * length), blocks.part(at, count * length));
            at += count * length;
        });
    }
};

}  // namespace

/// Bruck: a block for the rank i places further on is carried d k^j places in round j, if digit j of i in
/// base k is d, in one message with all others that go there. The k - 1 messages of a round overlap. It sends
/// few messages, but each block travels several times.
///
///   p = 4, k = 2   carried by rank r                          to
///   round 0        blocks for r+1 and r+3                     r+1
///   round 1        blocks for r+2 and, from r-1, for r+2      r+2
///
/// Cost for k = 2: ceil(log2 p) alpha + about n/2 ceil(log2 p) beta, and every block copied.  Needs: nothing.
/// Source: Bruck et al. 1997.
void alltoall_bruck(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const Blocks from_blocks(args.data, p);
    const std::size_t length = from_blocks[0].count, before = length * std::size_t(me),
                      after = args.data.count - before;

    Scratch scratch(link);
    const Slice carried = scratch(args.data.count);  // block i belongs i places further on
    link.copy(carried.part(0, after), args.input.part(before, after));
    if (before > 0) link.copy(carried.part(after, before), args.input.part(0, before));
    for (long distance = 1; distance < p; distance *= args.radix) {
        Scratch round(link);
        std::vector<Packed> arriving;
        std::vector<std::array<Link::Ticket, 2>> tickets;
        const auto travellers = round_of(distance, args.radix, p);
        for (const Travellers& who : travellers) {
            const std::size_t count = who.count() * length;
            const Packed leaving{who, round(count)};
            arriving.push_back({who, round(count)});
            leaving.runs(carried, length, [&](Slice from, Slice to) { link.copy(to, from); });
            const int to = wrap(me + who.ranks(), p), from = wrap(me - who.ranks(), p);
            tickets.push_back({link.start_receive(from, arriving.back().blocks), Link::Ticket::none});
            if (tickets.size() < travellers.size())
                tickets.back()[1] = link.start_send(to, leaving.blocks);
            else
                link.send(to, leaving.blocks);
        }
        for (std::size_t i = 0; i < tickets.size(); ++i) {
            for (const Link::Ticket ticket : tickets[i]) link.wait(ticket);
            arriving[i].runs(carried, length, [&](Slice to, Slice from) { link.copy(to, from); });
        }
    }
    for (int i = 0; i < p; ++i)
        link.copy(from_blocks[wrap(me - i, p)], carried.part(std::size_t(i) * length, length));
}

Cost alltoall_bruck_cost(const Problem& problem) {
    Cost cost;
    for (long distance = 1; distance < problem.p; distance *= problem.radix) {
        std::size_t blocks = 0;
        const auto round = round_of(distance, problem.radix, problem.p);
        for (const Travellers& who : round) blocks += who.count();
        const double bytes = double(problem.bytes) / problem.p * double(blocks);
        cost = cost + Cost{double(round.size()), bytes, 0}.with_latencies(1);
    }
    return cost;
}

}  // namespace echelon
