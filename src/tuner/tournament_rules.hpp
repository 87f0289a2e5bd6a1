// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace echelon {

/// The constants of a tournament.
struct TournamentRules {
    /// Number of calls during which the program may end soon.
    long first_calls = 200;
    /// Part of the share of time that the watch of the winner may use.
    double watch_part = 0.1;
    /// Factor by which a model may be wrong if it was never compared with calls, and if it was.
    double doubt = 2, less_doubt = 1.2;
    /// A calibrated model is not wrong about native by this factor.
    double far_off = 2;
    /// Highest price of a native call before the first pair, in calls.
    double natives_price = 10;
    /// Number of unmeasured arms that may start before the error of the model is known.
    int blind = 1;
    /// Price of a first call without an expected time, in calls.
    double unknown_setup = 10;
    /// Highest price of an exchange before one was timed, in calls.
    double unseen_exchange = 4;
    /// An arm slower than the incumbent by this factor is out at once.
    double by_far = 2;
    /// An arm faster than the incumbent by this factor needs little proof.
    double clearly = 1.5;
    /// An arm with at most this measured ratio is promising: its calls are expected to gain.
    double promising = 0.9;
    /// Least gain of a replacement, which costs something itself. Going back to native is free.
    double lead = 0.02;
    /// Arms within this factor of the best survive the halving.
    double near = 1.1;
    std::array<std::size_t, 5> pairs{1, 3, 8, 16, 32};
    std::size_t watched_pairs = 8;
    /// A change of the opponent's ratio by this factor reopens the tournament.
    double drift = 1.3;
    std::size_t most_tried = 32;
};

}  // namespace echelon
