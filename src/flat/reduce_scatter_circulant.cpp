// SPDX-License-Identifier: Apache-2.0
#include "flat/circular_blocks.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Circulant reduce-scatter: as few rounds as halving, as few bytes as the ring, for any p. A rank works on
/// the s blocks that follow its own on the circle. In every round it sends the far half of them to the rank
/// that owns the first block of that half.
///
///   p = 5     rank r still works on       sends                     to
///   round 0   r r+1 r+2 r+3 r+4           blocks r+3 r+4            r+3
///   round 1   r r+1 r+2                   block  r+2                r+2
///   round 2   r r+1                       block  r+1                r+1
///
/// A message that passes the end of the vector is first copied together.
///
/// Cost: ceil(log2 p) alpha + n (p - 1)/p (beta + gamma).  Needs: a commutative operation.
/// Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024.
void reduce_scatter_circulant(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const CircularBlocks blocks(args.blocks, p);
    const std::vector<int> skips = circulant_skips(p);
    for (std::size_t round = 0; round + 1 < skips.size(); ++round) {
        const int skip = skips[round + 1], length = skips[round] - skip;
        Scratch scratch(link);
        const Slice sent = joined(link, scratch, blocks.range(me + skip, length));
        const auto [first, second] = blocks.range(me, length).runs;
        const Slice received = scratch(first.count + second.count);
        link.exchange(wrap(me + skip, p), sent, wrap(me - skip, p), received);
        link.reduce(first, received.part(0, first.count), Side::before);
        if (!second.empty()) link.reduce(second, received.part(first.count, second.count), Side::before);
    }
}

Cost reduce_scatter_circulant_cost(const Problem& problem) {
    const double moved = double(problem.bytes) * (problem.p - 1) / problem.p;
    return {double(ceil_log2(problem.p)), moved, moved};
}

}  // namespace echelon
