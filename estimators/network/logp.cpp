// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/logp.hpp"

#include <algorithm>

namespace echelon {

MessageCost LogGP::message(const MessageShape& shape) const {
    const Seconds transfer = tail(double(shape.bytes));
    return {.send_overhead = overhead,
            .transfer = transfer,
            .gap = gap_to(shape.peers),
            .latency = latency,
            .drain = receive_gap + transfer,
            .receive_overhead = overhead};
}

/// The sender's processor is busy for o_s of the g that its port is; the receiver's for the last o_r of
/// L + g. A gap shortened by many peers does not fall below the overheads.
MessageCost PLogP::message(const MessageShape& shape) const {
    const double bytes = double(shape.bytes);
    const Seconds sending = o_s(bytes), receiving = o_r(bytes);
    const Seconds g = std::max({g_to(bytes, shape.peers), sending, receiving});
    return {.send_overhead = sending,
            .transfer = g - sending,
            .gap = sending,
            .latency = latency - receiving,
            .drain = g,
            .receive_overhead = receiving,
            .buffered = true};
}

}  // namespace echelon
