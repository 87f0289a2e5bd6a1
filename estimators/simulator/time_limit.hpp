// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <utility>

namespace echelon {

/// The time limit of a decision is over. It is no std::exception: no caller takes it for an error. Times that
/// were found are kept by their predictors, from which the next attempt goes on. Their caches take an entry
/// only once its time is known.
struct OutOfTime {};

/// A limit on the time of decisions on this thread, while it lives. Replays check it.
class TimeLimit {
public:
    using Clock = Seconds();
    TimeLimit(Clock* clock, Seconds most)
        : clock_(clock), end_(clock() + most), before_(std::exchange(current_, this)) {}
    ~TimeLimit() { current_ = before_; }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    /// Error: OutOfTime, if the limit is over.
    static void check() {
        if (current_ != nullptr && current_->clock_() > current_->end_) throw OutOfTime();
    }

private:
    static thread_local constinit inline const TimeLimit* current_ = nullptr;

    Clock* clock_;
    Seconds end_;
    const TimeLimit* before_;
};

}  // namespace echelon
