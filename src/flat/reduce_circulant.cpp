// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/circulant_schedule.hpp"
#include "flat/reduce.hpp"

namespace echelon {

/// Pipelined circulant reduction: the circulant broadcast backwards. A rank combines each segment that the
/// broadcast would forward.
///
/// Cost: (s - 1 + ceil(log2 p)) (alpha + n/s (beta + gamma)).  Needs: a commutative operation.
/// Source: Traeff, Optimal broadcast schedules in logarithmic time, 2024.
void reduce_circulant(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    const CirculantSchedule schedule(link.size(), turned.rank(), int(segments.size()));
    Scratch scratch(link);
    const Slice received = scratch(segments.longest());
    for (int round = schedule.rounds() - 1; round >= 0; --round) {
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        const auto own = schedule.received(round), combined = schedule.sent(round);
        const Slice into = combined ? segments[std::size_t(*combined)] : Slice{};
        if (combined) receiving = turned.start_receive(schedule.to(round), received.part(0, into.count));
        if (own) sending = turned.start_send(schedule.from(round), segments[std::size_t(*own)]);
        link.wait(receiving);
        link.wait(sending);
        if (combined) link.reduce(into, received.part(0, into.count), Side::before);
    }
}

Cost reduce_circulant_cost(const Problem& problem) {
    if (problem.p == 1) return {};
    const double segments = double(Segments({0, problem.bytes}, problem.segment).size());
    const double length = double(problem.bytes) / segments;
    return ((segments - 1 + ceil_log2(problem.p)) * Cost{1, length, length})
        .with_latencies(circulant_depth(problem.p));
}

}  // namespace echelon
