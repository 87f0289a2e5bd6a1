// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/circular_blocks.hpp"

namespace echelon {

/// Circulant allgather: the circulant reduce-scatter backwards. A rank has the s blocks that follow its own
/// on the circle, and nearly doubles them in every round, for any p.
///
///   p = 5     rank r has        receives            from
///   round 0   r                 block  r+1          r+1
///   round 1   r r+1             block  r+2          r+2
///   round 2   r r+1 r+2         blocks r+3 r+4      r+3
///
/// Cost: ceil(log2 p) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024; Bruck et al. 1997.
void allgather_circulant(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const CircularBlocks blocks(args.blocks, p);
    const std::vector<int> skips = circulant_skips(p);
    for (std::size_t round = skips.size() - 1; round > 0; --round) {
        const int skip = skips[round], length = skips[round - 1] - skip;
        Scratch scratch(link);
        const Slice sent = joined(link, scratch, blocks.range(me, length));
        const auto missing = blocks.range(me + skip, length);
        const Slice received = missing.in_one_piece() ? missing.piece() : scratch(missing.count());
        link.exchange(wrap(me - skip, p), sent, wrap(me + skip, p), received);
        if (!missing.in_one_piece()) spread(link, missing, received);
    }
}

Cost allgather_circulant_cost(const Problem& problem) {
    return {double(ceil_log2(problem.p)), double(problem.bytes) * (problem.p - 1) / problem.p, 0};
}

}  // namespace echelon
