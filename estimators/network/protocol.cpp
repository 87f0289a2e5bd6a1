// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/protocol.hpp"

#include <algorithm>

namespace echelon {

Seconds Protocol::sending(double bytes, bool blocking) const {
    const bool is_cheaper =
        blocking && !blocking_overhead.points().empty() && bytes <= blocking_overhead.points().back().x;
    return (is_cheaper ? blocking_overhead : send_overhead).at(bytes);
}

Seconds Protocol::receiving(double bytes) const {
    return receive_overhead.at(bytes >= double(rendezvous_from) ? 0 : bytes);
}

MessageCost Protocol::message(Bytes bytes) const {
    const Hockney& line = one_way.at(double(bytes));
    const bool waits = bytes >= rendezvous_from, is_matched = bytes >= matched_from;
    const SecondsPerByte of_long_ones = held * one_way.at(double(long_one)).beta;
    const double share = of_long_ones < line.beta ? of_long_ones / line.beta : 1;
    const Seconds whole = double(bytes) * line.beta, sending = this->sending(double(bytes), true),
                  receiving = this->receiving(double(bytes)),
                  way = std::max(0.0, line.alpha + whole - sending - receiving),
                  transfer = waits ? whole : std::min(way, double(bytes) * of_long_ones),
                  latency = std::max(0.0, way - transfer);
    MessageCost cost{.send_overhead = this->sending(double(bytes), false),
                     .blocking_overhead = sending,
                     .transfer = transfer,
                     .latency = latency,
                     .receive_overhead = receiving,
                     .circuit = waits || is_matched,
                     .buffered = !waits};
    if (!cost.circuit) cost.drain = transfer;
    if (cost.circuit) cost.port_share = waits ? share : 1;
    return cost;
}

}  // namespace echelon
