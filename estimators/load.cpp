// SPDX-License-Identifier: Apache-2.0
#include "estimators/load.hpp"

#include <algorithm>

namespace echelon {

Seconds busiest(const PackedSchedule& schedule, const Machine& machine) {
    const auto p = std::size_t(schedule.p);
    std::size_t nodes = 0;
    for (int rank = 0; rank < schedule.p; ++rank)
        nodes = std::max(nodes, std::size_t(machine.node(rank)) + 1);
    // Of a rank: processor, sending inside and beyond its node, receiving. Of a node: card out and in, memory.
    std::vector<Seconds> ranks(5 * p), cards(3 * nodes);
    for (const auto& message : schedule.messages) {
        const MessageShape& shape = schedule.shapes[message.shape];
        const auto from = std::size_t(machine.node(int(message.from))),
                   to = std::size_t(machine.node(int(message.to)));
        const std::size_t beyond = from != to && !machine.one_port ? 1 : 0;
        const MessageCost cost = message_cost(from == to ? machine.inside : machine.between, shape);
        ranks[5 * message.from] += cost.send_overhead;
        ranks[5 * message.to] += cost.receive_overhead;
        ranks[5 * message.from + 1 + beyond] += cost.start + cost.transfer + cost.gap;
        ranks[5 * message.to + 3 + beyond] += cost.circuit ? cost.start + cost.transfer : cost.drain;
        const double bytes = double(shape.bytes);
        if (from == to) {
            cards[3 * from + 2] += bytes / machine.memory;
        } else {
            cards[3 * from] += bytes / machine.card;
            cards[3 * to + 1] += bytes / machine.card;
        }
    }
    for (const auto& strand : schedule.strands)
        for (std::size_t i = strand.begin; i < strand.end; ++i) {
            const PackedSchedule::Op op = schedule.ops[i];
            const bool reduces = op.kind == PackedSchedule::Op::Kind::reduce;
            if (reduces || op.kind == PackedSchedule::Op::Kind::copy)
                ranks[5 * strand.rank] +=
                    double(schedule.lengths[op.argument]) * (reduces ? machine.gamma : machine.copy);
        }
    const Seconds rank = p == 0 ? 0 : *std::max_element(ranks.begin(), ranks.end());
    return std::max(rank, p == 0 ? 0 : *std::max_element(cards.begin(), cards.end()));
}

}  // namespace echelon
