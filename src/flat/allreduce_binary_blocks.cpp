// SPDX-License-Identifier: Apache-2.0
#include "core/member_link.hpp"
#include "flat/allreduce.hpp"
#include "flat/binary_blocks.hpp"
#include "flat/halving.hpp"

#include <array>

namespace echelon {
namespace {

/// Doubling in the largest block. Each block feeds the next smaller one as soon as two of its ranks have the
/// halves with which a rank there begins.
void allgather_in_blocks(Link& link, const BinaryBlocks& blocks, const Blocks& parts) {
    const int block = blocks.block_of(link.rank()), size = blocks.size(block);
    MemberLink inside(link, blocks.members(block));
    const int own = inside.rank();
    const Butterfly butterfly(size, own, Butterfly::Order::near_first);
    const CoarseParts coarse{parts, parts.parts() / size};

    if (block > 0) {
        const CoarseParts halves{parts, parts.parts() / (2 * size)};
        std::array<Link::Ticket, 2> receives;
        for (std::size_t i = 0; i < 2; ++i) {
            const int from = own + int(i) * size;
            const int half = Butterfly(2 * size, from, Butterfly::Order::near_first).part();
            receives[i] = link.start_receive(blocks.first(block - 1) + from, halves.range(half, half + 1));
        }
        for (const Link::Ticket receive : receives) link.wait(receive);
    }

    const int smaller = block + 1 < blocks.count() ? blocks.size(block + 1) : 0;
    Link::Ticket feeding = Link::Ticket::none;
    PartRange held{butterfly.part(), 1};
    for (int step = butterfly.steps() - 1; step >= 0; --step) {
        if (butterfly.distance(step) == smaller && own < 2 * smaller)
            feeding = link.start_send(blocks.first(block + 1) + own % smaller,
                                      coarse.range(held.first, held.end()));
        const PartRange missing = butterfly.given(step);
        inside.exchange(butterfly.peer(step), coarse.range(held.first, held.end()), butterfly.peer(step),
                        coarse.range(missing.first, missing.end()));
        held = {std::min(held.first, missing.first), 2 * held.count};
    }
    link.wait(feeding);
}

}  // namespace

/// Binary blocks: ranks form blocks of powers of two. Every block halves; then the smallest block hands its
/// result, in pieces, to the next larger one, and onwards until the largest block has the whole result. A
/// doubling in the largest block, which feeds the smaller ones on the way, brings it to all ranks.
///
///   p = 6         block 0: ranks 0 .. 3    block 1: ranks 4 5
///   halving       A B C D of 0-3           AB CD of 45
///   hand over     A B C D of 0-5           AB to the ranks of A and B, CD to those of C and D
///   doubling      AB CD AB CD              gets A and B, C and D
///
/// Cost: bytes and latencies of halving and doubling in the largest block, and 2^d messages more for each
/// step from a block to one that is 2^d times as large. It is good if the binary digits of p have no wide
/// gaps.
/// Needs: nothing.
/// Source: Rabenseifner 2004, section 3.6.
void allreduce_binary_blocks(Link& link, const Args& args) {
    const BinaryBlocks blocks(link.size());
    const Blocks parts(args.data, blocks.size(0));
    reduce_scatter_in_blocks(link, blocks, parts);
    allgather_in_blocks(link, blocks, parts);
}

Cost allreduce_binary_blocks_cost(const Problem& problem) {
    const BinaryBlocks blocks(problem.p);
    const double n = double(problem.bytes);
    // Doubling from 1/from to 1/to of the vector.
    const auto doubling = [&](int from, int to) {
        return Cost{double(floor_log2(from) - floor_log2(to)), n / to - n / from, 0};
    };
    Cost start = reduce_scatter_in_blocks_cost(blocks, n), last;
    for (int block = 0; block < blocks.count(); ++block) {
        const int size = blocks.size(block);
        if (block + 1 == blocks.count())
            return at_least(last, start + doubling(size, 1)).with_latencies(2 * floor_log2(problem.p));
        const int smaller = blocks.size(block + 1);
        const Cost fed = start + doubling(size, 2 * smaller);
        last = at_least(last, fed + Cost{1, n / (2 * smaller), 0} + doubling(2 * smaller, 1));
        start = fed + Cost{2, n / smaller, 0};
    }
    return last;
}

}  // namespace echelon
