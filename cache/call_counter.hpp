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
    /// Notes the bytes of a call whose ranks know only their own blocks, by the blocks that this rank knows;
    /// 0 if one is empty.
    void see(Bytes bytes) {
        some_empty_ = some_empty_ || bytes == 0;
        bytes_ += bytes;
        ++seen_;
    }
    /// Mean of the bytes that this rank saw; 0 if a block was empty, or no call was seen.
    Bytes mean_bytes() const { return some_empty_ || seen_ == 0 ? 0 : bytes_ / seen_; }
    /// True if the next call is timed.
    bool timed = false;
    /// Clock of this rank at the begin and at the end of the last timed call.
    Seconds entered = 0, departed = 0;

private:
    long granted_ = 0;
    Bytes bytes_ = 0;
    std::size_t seen_ = 0;
    bool some_empty_ = false;
};

}  // namespace echelon
