// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"

namespace echelon {
namespace {

/// Calls `each(i)` for the blocks that travel in the round of `distance`: those whose number has that bit.
template <class Each>
void travelling(int p, int distance, const Each& each) {
    for (int i = 0; i < p; ++i)
        if ((i & distance) != 0) each(i);
}

int travelling(int p, int distance) {
    int blocks = 0;
    travelling(p, distance, [&](int) { ++blocks; });
    return blocks;
}

}  // namespace

/// Bruck: a block that has to go i places on is carried 2^k places in round k for every bit k of i, together
/// with all others that do. Few messages, each block travels several times.
///
///   p = 4     carried by rank r                          to
///   round 0   blocks for r+1 and r+3                     r+1
///   round 1   blocks for r+2 and, from r-1, for r+2      r+2
///
/// Cost: ceil(log2 p) alpha + about n/2 ceil(log2 p) beta, and every block copied.  Needs: nothing.
/// Source: Bruck et al. 1997.
void alltoall_bruck(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const Blocks from_blocks(args.data, p), to_blocks(args.input, p);
    const std::size_t length = from_blocks[0].count;

    Scratch scratch(link);
    const Blocks carried(scratch(args.data.count), p);  // block i has to go i places on from here
    for (int i = 0; i < p; ++i) link.copy(carried[i], to_blocks[wrap(me + i, p)]);
    for (int distance = 1; distance < p; distance *= 2) {
        Scratch round(link);
        const std::size_t count = std::size_t(travelling(p, distance)) * length;
        const Slice packed = round(count), received = round(count);
        std::size_t at = 0;
        travelling(p, distance, [&](int i) { link.copy(packed.part(length * at++, length), carried[i]); });
        link.exchange(wrap(me + distance, p), packed, wrap(me - distance, p), received);
        at = 0;
        travelling(p, distance, [&](int i) { link.copy(carried[i], received.part(length * at++, length)); });
    }
    for (int i = 0; i < p; ++i) link.copy(from_blocks[wrap(me - i, p)], carried[i]);
}

Cost alltoall_bruck_cost(const Problem& problem) {
    Cost cost;
    for (int distance = 1; distance < problem.p; distance *= 2)
        cost = cost + Cost{1, double(problem.bytes) / problem.p * travelling(problem.p, distance), 0};
    return cost;
}

}  // namespace echelon
