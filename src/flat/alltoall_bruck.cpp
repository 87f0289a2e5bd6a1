// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

/// Calls `each(first, count)` for every run of blocks that travels in the round of `distance`: the `count`
/// blocks from `first` on, whose numbers have that bit.
template <class Each>
void travelling(int p, int distance, const Each& each) {
    for (int first = distance; first < p; first += 2 * distance)
        each(std::size_t(first), std::size_t(std::min(distance, p - first)));
}

std::size_t travelling(int p, int distance) {
    std::size_t blocks = 0;
    travelling(p, distance, [&](std::size_t, std::size_t count) { blocks += count; });
    return blocks;
}

}  // namespace

/// Bruck: a block for the rank i places further on is carried 2^k places in round k for every bit k of i, in
/// one message with all others that go there. It sends few messages, but each block travels several times.
///
///   p = 4     carried by rank r                          to
///   round 0   blocks for r+1 and r+3                     r+1
///   round 1   blocks for r+2 and, from r-1, for r+2      r+2
///
/// Cost: ceil(log2 p) alpha + about n/2 ceil(log2 p) beta, and every block copied.  Needs: nothing.
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
    for (int distance = 1; distance < p; distance *= 2) {
        Scratch round(link);
        const std::size_t count = travelling(p, distance) * length;
        const Slice packed = round(count), received = round(count);
        std::size_t at = 0;
        const auto next = [&](const Slice& slice, std::size_t blocks) {
            return slice.part(std::exchange(at, at + blocks * length), blocks * length);
        };
        travelling(p, distance, [&](std::size_t first, std::size_t blocks) {
            link.copy(next(packed, blocks), carried.part(first * length, blocks * length));
        });
        link.exchange(wrap(me + distance, p), packed, wrap(me - distance, p), received);
        at = 0;
        travelling(p, distance, [&](std::size_t first, std::size_t blocks) {
            link.copy(carried.part(first * length, blocks * length), next(received, blocks));
        });
    }
    for (int i = 0; i < p; ++i)
        link.copy(from_blocks[wrap(me - i, p)], carried.part(std::size_t(i) * length, length));
}

Cost alltoall_bruck_cost(const Problem& problem) {
    Cost cost;
    for (int distance = 1; distance < problem.p; distance *= 2)
        cost = cost + Cost{1, double(problem.bytes) / problem.p * double(travelling(problem.p, distance)), 0};
    return cost;
}

}  // namespace echelon
