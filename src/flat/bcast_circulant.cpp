// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/bcast.hpp"
#include "flat/circulant_schedule.hpp"

namespace echelon {

/// Pipelined circulant broadcast: every rank sends and receives a segment in every round, from the first
/// round in which it can. No tree achieves that: s - 1 + ceil(log2 p) rounds for s segments are the least
/// possible, for any p.
///
/// Cost: (s - 1 + ceil(log2 p)) (alpha + n/s beta).  Needs: nothing.
/// Source: Traeff, Optimal broadcast schedules in logarithmic time, 2024.
void bcast_circulant(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    const CirculantSchedule schedule(link.size(), turned.rank(), int(segments.size()));
    for (int round = 0; round < schedule.rounds(); ++round) {
        Link::Ticket receiving = Link::Ticket::none, sending = Link::Ticket::none;
        if (const auto block = schedule.received(round))
            receiving = turned.start_receive(schedule.from(round), segments[std::size_t(*block)]);
        if (const auto block = schedule.sent(round))
            sending = turned.start_send(schedule.to(round), segments[std::size_t(*block)]);
        link.wait(receiving);
        link.wait(sending);
    }
}

Cost bcast_circulant_cost(const Problem& problem) {
    if (problem.p == 1) return {};
    const double segments = double(Segments({0, problem.bytes}, problem.segment).size());
    return ((segments - 1 + ceil_log2(problem.p)) * Cost{1, double(problem.bytes) / segments, 0})
        .with_latencies(circulant_depth(problem.p));
}

}  // namespace echelon
