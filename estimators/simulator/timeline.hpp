// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <vector>

namespace echelon {

/// An interval in which one rank's port or processor is busy.
struct Interval {
    enum class Activity : std::uint8_t { send, receive, reduce, copy, overhead };

    int rank;
    Activity activity;
    Seconds begin, end;
    /// The other rank of a message; the rank itself for work on the processor.
    int peer;
    Bytes bytes;
    /// Equal for the send and the receive of one message.
    std::uint32_t message;

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// The activities of a replay.
struct Timeline {
    /// In the order in which the simulator computes them.
    std::vector<Interval> intervals = {};
    /// End of each step: step after step of a strand, strand after strand of a rank, rank after rank.
    std::vector<Seconds> step_ends = {};
};

}  // namespace echelon
