// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/load.hpp"

#include "estimators/simulator/boards.hpp"
#include "estimators/simulator/shared_links.hpp"

#include <algorithm>

namespace echelon {

Seconds busiest(const PackedSchedule& schedule, const Machine& machine) {
    // Per rank: processor; sending inside and beyond its node; receiving inside and beyond its node.
    std::vector<Seconds> ranks(5 * std::size_t(schedule.p) + 1);
    const SharedLinks cards(machine, schedule.p);
    std::vector<Seconds> shared(cards.count() + 1);
    for (const auto& message : schedule.messages) {
        const Bytes bytes = schedule.lengths[message.length];
        const int from = int(message.from), to = int(message.to);
        const std::size_t level = machine.level(from, to);
        const std::size_t beyond = level > 0 && !machine.one_port ? 1 : 0;
        const MessageCost cost = machine.message(level, bytes);
        ranks[5 * message.from] += cost.overhead(message.blocking);
        ranks[5 * message.to] += cost.receive_overhead;
        const Seconds held = cost.start + cost.transfer * (cost.shares() ? cost.port_share : 1);
        ranks[5 * message.from + 1 + beyond] += held + cost.gap;
        ranks[5 * message.to + 3 + beyond] += cost.circuit ? held : cost.drain;
        cards.pass(from, to, bytes, [&](std::size_t i, Seconds share) { shared[i] += share; });
    }
    const SimulatedBoards boards(schedule, machine);
    for (const auto& strand : schedule.strands)
        for (std::size_t i = strand.begin; i < strand.end; ++i) {
            const PackedSchedule::Op op = schedule.ops[i];
            const bool reduces = op.kind == PackedSchedule::Op::Kind::reduce;
            if (reduces || op.kind == PackedSchedule::Op::Kind::copy)
                ranks[5 * strand.rank] +=
                    double(schedule.lengths[op.argument]) * (reduces ? machine.gamma : machine.copy);
            else if (SimulatedBoards::are_asked(op) && op.kind != PackedSchedule::Op::Kind::leave)
                ranks[5 * strand.rank] += boards.work(op, 1);
        }
    return std::max(*std::max_element(ranks.begin(), ranks.end()),
                    *std::max_element(shared.begin(), shared.end()));
}

}  // namespace echelon
