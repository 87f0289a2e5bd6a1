// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <vector>

namespace echelon {

/// A stretch of time in which one rank's port or processor is busy.
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

/// What a replay did.
struct Timeline {
    /// In the order in which it became known.
    std::vector<Interval> intervals = {};
    /// When each step was over: the steps of a strand one after the other, the strands of a rank, rank after rank.
    std::vector<Seconds> step_ends = {};
};

}  // namespace echelon
