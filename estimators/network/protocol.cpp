// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/protocol.hpp"

#include <algorithm>

namespace echelon {

MessageCost Protocol::message(Bytes bytes) const {
    const Hockney& line = one_way.at(double(bytes));
    const bool waits = bytes >= rendezvous_from;
    const SecondsPerByte of_long_ones = held * one_way.at(double(long_one)).beta;
    const double share = of_long_ones < line.beta ? of_long_ones / line.beta : 1;
    const Seconds whole = double(bytes) * line.beta, latency = std::max(0.0, line.alpha - 2 * overhead);
    if (waits)
        return {.send_overhead = overhead,
                .transfer = whole,
                .latency = latency,
                .receive_overhead = overhead,
                .circuit = true,
                .port_share = share};
    return {.send_overhead = overhead,
            .transfer = held * whole,
            .latency = latency + (1 - held) * whole,
            .drain = held * whole,
            .receive_overhead = overhead,
            .buffered = true};
}

}  // namespace echelon
