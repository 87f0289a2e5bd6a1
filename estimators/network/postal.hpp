// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/message_cost.hpp"
#include "estimators/network/table.hpp"

namespace echelon {

/// The pipelining postal model (Ruefenacht, Bull and Booth 2017): b messages sent at once take
/// alpha_p + b (alpha_r + m beta); only alpha_r of the latency occupies the port.
struct Postal {
    Seconds alpha_p = 0;
    Seconds alpha_r = 0;
    SecondsPerByte beta = 0;
    /// What alpha_r is multiplied with, by the number of peers; empty: always 1.
    Table alpha_r_by_peers = {};

    Seconds alpha_r_to(int peers) const {
        return alpha_r_by_peers.empty() ? alpha_r : alpha_r * alpha_r_by_peers.clamped(peers);
    }
    Seconds time(double bytes) const { return stage(1, bytes, 0); }
    /// One message to and one from each of `peers`, all combined.
    Seconds stage(int peers, double bytes, SecondsPerByte gamma) const {
        return alpha_p + peers * (alpha_r_to(peers) + bytes * (beta + gamma));
    }
    MessageCost message(const MessageShape& shape) const;

    friend bool operator==(const Postal&, const Postal&) = default;
};

}  // namespace echelon
