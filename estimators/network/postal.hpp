// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/message_cost.hpp"

namespace echelon {

/// The pipelining postal model (Ruefenacht, Bull and Booth 2017): b messages sent at once take alpha_p + b
/// (alpha_r + m beta). Only alpha_r of the latency occupies the port.
struct Postal {
    Seconds alpha_p = 0;
    Seconds alpha_r = 0;
    SecondsPerByte beta = 0;

    Seconds time(double bytes) const { return alpha_p + (alpha_r + bytes * beta); }
    MessageCost message(Bytes bytes) const;

    friend bool operator==(const Postal&, const Postal&) = default;
};

}  // namespace echelon
