// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allgather.hpp"
#include "flat/allreduce.hpp"
#include "flat/send_window.hpp"

#include <algorithm>
#include <array>

namespace echelon {
namespace {

/// Number of segments per block, for p blocks and at most `length` elements in a segment.
int segments_of_a_block(const Blocks& blocks, std::size_t length) {
    return int(Segments(blocks[0], length).size());
}

/// A ring reduce-scatter that cuts every block into the same number of segments: while one is combined the
/// next one arrives, and a combined segment leaves at once.
void reduce_scatter_segmented_ring(Link& link, const Blocks& blocks, int segments) {
    const int p = link.size(), me = link.rank();
    const int next = wrap(me + 1, p), prev = wrap(me - 1, p);
    const int all = (p - 1) * segments;

    const auto segment = [&](int block, int i) { return Blocks(blocks[block], segments)[i]; };
    const auto incoming = [&](int i) { return segment(wrap(me - 2 - i / segments, p), i % segments); };
    const auto outgoing = [&](int i) { return i < segments ? segment(prev, i) : incoming(i - segments); };

    Scratch scratch(link);
    std::array<Slice, 2> buffers;
    for (int i = 0; i < std::min(all, 2); ++i) buffers[std::size_t(i)] = scratch(segment(0, 0).count);
    const auto buffer = [&](int i) { return buffers[std::size_t(i % 2)].part(0, incoming(i).count); };
    const auto start = [&](int i) {
        return i < all ? link.start_receive(prev, buffer(i)) : Link::Ticket::none;
    };

    // Sends start a few messages ahead, to continue while operands are combined, but no further ahead than
    // receives can follow.
    const int ahead = std::min(segments, 4);
    SendWindow sends(link);
    Link::Ticket receiving = start(0);
    for (int i = 0; i < std::min(ahead, all); ++i) sends.start(next, outgoing(i));
    for (int i = 0; i < all; ++i) {
        link.wait(receiving);
        receiving = start(i + 1);
        link.reduce(incoming(i), buffer(i), Side::before);
        if (i + ahead < all) sends.start(next, outgoing(i + ahead));
    }
    sends.finish();
}

}  // namespace

/// Ring that reduces its blocks of n/p bytes in X segments each: all combinations but the last segment's hide
/// behind the arrival of the next segment. The allgather moves whole blocks.
///
/// Cost for X > 1: (p - 1)(X + 1) alpha + 2n (p - 1)/p beta + n/(pX) gamma, if combining a segment is faster
/// than receiving it.  Needs: a commutative operation.
/// Source: Hasanov and Lastovetsky 2016; the formula printed there, (p + X - 2)(...), is that of a chain.
void allreduce_segmented_ring(Link& link, const Args& args) {
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    const std::size_t length = segment_elements(args.segment, link.element_size());
    reduce_scatter_segmented_ring(link, phase.blocks, segments_of_a_block(phase.blocks, length));
    allgather_ring(link, phase);
}

Cost allreduce_segmented_ring_cost(const Problem& problem) {
    const double p = problem.p, moved = double(problem.bytes) * (p - 1) / p;
    const Blocks blocks(problem.bytes, problem.p);
    const double segments = segments_of_a_block(blocks, problem.segment);
    const double messages = (p - 1) * segments;
    // With one segment per block, the next message is the block that the neighbour combines at the moment:
    // every combination is exposed.
    const double exposed = std::min(segments == 1 ? p - 1 : 1, p - 1);
    const double waited_for = exposed * double(problem.bytes) / (p * segments);
    return Cost{messages, moved, waited_for, messages - exposed, moved - waited_for}.with_latencies(p - 1) +
           allgather_ring_cost(problem);
}

}  // namespace echelon
