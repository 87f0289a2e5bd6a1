// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/logp.hpp"

#include <algorithm>

namespace echelon {

MessageCost LogGP::message(Bytes bytes) const {
    const Seconds transfer = tail(double(bytes));
    return {.send_overhead = overhead,
            .transfer = transfer,
            .gap = gap,
            .latency = latency,
            .drain = receive_gap + transfer,
            .receive_overhead = overhead};
}

/// The sender's processor is busy for the first o_s of the g that its port is busy; the receiver's for the
/// last o_r of L + g. Extrapolated tables are kept above the overheads.
MessageCost PLogP::message(Bytes bytes) const {
    const Seconds sending = o_s(double(bytes)), receiving = o_r(double(bytes));
    const Seconds whole = std::max({g(double(bytes)), sending, receiving});
    return {.send_overhead = sending,
            .transfer = whole - sending,
            .gap = sending,
            .latency = latency - receiving,
            .drain = whole,
            .receive_overhead = receiving,
            .buffered = true};
}

}  // namespace echelon
