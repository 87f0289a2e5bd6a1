// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <limits>

namespace echelon {

/// The calls of a class, counted and timed by the calls themselves. The tuner owns it and reads it.
struct CallCounter {
    static constexpr long for_ever = std::numeric_limits<long>::max() / 2;
    /// Number of calls that run without the tuner, this one included.
    long left = 0;
    /// Sets the number of calls that are left.
    void grant(long calls) {
        granted_ += calls - left;
        left = calls;
    }
    /// Number of calls that were made.
    long made() const { return granted_ - left; }
    /// True if the next call is timed.
    bool timed = false;
    /// Clock of this rank at the begin and at the end of the last timed call.
    Seconds entered = 0, departed = 0;

private:
    long granted_ = 0;
};

}  // namespace echelon
