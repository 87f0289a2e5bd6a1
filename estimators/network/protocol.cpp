// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/protocol.hpp"

#include <algorithm>

namespace echelon {

MessageCost Protocol::message(const MessageShape& shape) const {
    const Hockney& line = one_way.at(double(shape.bytes));
    const bool waits = shape.bytes >= rendezvous_from;
    const Seconds whole = double(shape.bytes) * line.beta, latency = std::max(0.0, line.alpha - 2 * overhead);
    if (waits)
        return {.send_overhead = overhead,
                .transfer = whole,
                .latency = latency,
                .receive_overhead = overhead,
                .circuit = true,
                .port_share = held};
    return {.send_overhead = overhead,
            .transfer = held * whole,
            .latency = latency + (1 - held) * whole,
            .drain = held * whole,
            .receive_overhead = overhead,
            .buffered = true};
}

}  // namespace echelon
