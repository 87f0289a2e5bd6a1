// SPDX-License-Identifier: Apache-2.0
#include "estimators/protocol.hpp"

#include <algorithm>

namespace echelon {

MessageCost Protocol::message(const MessageShape& shape) const {
    const Hockney& line = one_way.at(double(shape.bytes));
    const bool waits = shape.bytes >= rendezvous_from;
    const Seconds whole = double(shape.bytes) * line.beta, transfer = held * whole;
    return {.send_overhead = overhead,
            .transfer = transfer,
            .latency = std::max(0.0, line.alpha - 2 * overhead) + (whole - transfer),
            .drain = waits ? 0 : transfer,
            .receive_overhead = overhead,
            .circuit = waits,
            .buffered = !waits};
}

}  // namespace echelon
