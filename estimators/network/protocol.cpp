// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/protocol.hpp"

#include <algorithm>

namespace echelon {

MessageCost Protocol::message(Bytes bytes) const {
    const Hockney& line = one_way.at(double(bytes));
    const bool waits = bytes >= rendezvous_from;
    const Seconds whole = double(bytes) * line.beta, latency = std::max(0.0, line.alpha - 2 * overhead);
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
