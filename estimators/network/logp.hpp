// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/message_cost.hpp"
#include "estimators/network/table.hpp"

namespace echelon {

/// LogGP (Alexandrov et al. 1995): a message takes L + 2o + (m - 1)G, and the next one may leave its sender g
/// after the last byte. With per_byte = 0 it is LogP (Culler et al. 1993).
struct LogGP {
    Seconds latency = 0;          // L
    Seconds overhead = 0;         // o, on the processors of both sides
    Seconds gap = 0;              // g, between messages
    SecondsPerByte per_byte = 0;  // G
    /// Least time between two messages that reach a rank, beyond their bytes. LogP's definition sets it to g.
    /// Measured MPI libraries deliver p - 1 messages in little more than the time of one (Pjesivac-Grbovic et
    /// al. 2005, section 5).
    Seconds receive_gap = 0;

    /// (m - 1)G: from the first to the last byte.
    Seconds tail(double bytes) const { return bytes < 1 ? 0 : (bytes - 1) * per_byte; }
    Seconds time(double bytes) const { return latency + 2 * overhead + tail(bytes); }
    MessageCost message(Bytes bytes) const;

    friend bool operator==(const LogGP&, const LogGP&) = default;
};

/// PLogP (Kielmann et al. 2000): gap and overheads are tables indexed by message length in bytes, and L spans
/// from end to end: a message takes L + g(m). Requires: g(m) >= o_s(m), o_r(m).
struct PLogP {
    Seconds latency = 0;          // L
    Table gap = {};               // g(m)
    Table send_overhead = {};     // o_s(m)
    Table receive_overhead = {};  // o_r(m)

    Seconds g(double bytes) const { return gap.extended(bytes); }
    Seconds o_s(double bytes) const { return send_overhead.extended(bytes); }
    Seconds o_r(double bytes) const { return receive_overhead.extended(bytes); }
    Seconds time(double bytes) const { return latency + g(bytes); }
    MessageCost message(Bytes bytes) const;

    friend bool operator==(const PLogP&, const PLogP&) = default;
};

}  // namespace echelon
