// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/protocol.hpp"

#include <algorithm>

namespace echelon {

MessageCost Protocol::message(Bytes bytes) const {
    const Hockney& line = one_way.at(double(bytes));
    const bool waits = bytes >= rendezvous_from;
    const SecondsPerByte of_long_ones = held * one_way.at(double(long_one)).beta;
    const double share = of_long_ones < line.beta ? of_long_ones / line.beta : 1;
    const Seconds whole = double(bytes) * line.beta, sending = send_overhead.at(double(bytes)),
                  receiving = receive_overhead.at(waits ? 0 : double(bytes)),
                  transfer = waits ? whole : std::min(whole, double(bytes) * of_long_ones),
                  latency = std::max(0.0, line.alpha + whole - transfer - sending - receiving);
    if (waits)
        return {.send_overhead = sending,
                .transfer = transfer,
                .latency = latency,
                .receive_overhead = receiving,
                .circuit = true,
                .port_share = share};
    return {.send_overhead = sending,
            .transfer = transfer,
            .latency = latency,
            .drain = transfer,
            .receive_overhead = receiving,
            .buffered = true};
}

}  // namespace echelon
