// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/simulator/time_limit.hpp"

namespace echelon {

/// A clock that moves on by a second whenever it is asked.
inline Seconds asked_for_time() {
    static Seconds now = 0;
    return ++now;
}

/// Runs `decide()` with time for so many replays. False: it takes more.
template <class Decide>
bool decides_within(int replays, const Decide& decide) {
    const TimeLimit limit(asked_for_time, replays);
    try {
        (void)decide();
    } catch (const OutOfTime&) {
        return false;
    }
    return true;
}

}  // namespace echelon
