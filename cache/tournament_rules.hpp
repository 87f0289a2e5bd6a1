// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace echelon {

/// What a tournament goes by.
struct TournamentRules {
    /// So long the program may end soon.
    long first_calls = 200;
    /// Of what may be spent before, for watching the winner.
    double watch_part = 0.1;
    /// How far off a model may be that was never compared with calls, and one that was.
    double doubt = 2, less_doubt = 1.2;
    /// So far off is no model about native that was compared with calls.
    double far_off = 2;
    /// What a call of native is taken for at most before one was compared, in calls.
    double natives_price = 10;
    /// So many unknown ones at most are tried before it is seen whether the model knows native.
    int blind = 1;
    /// Calls that a first call is taken for, where nothing is known.
    double unknown_setup = 10;
    /// What a settlement takes at most, in calls, until it is seen what these take: a few short ones of the kind.
    double unseen_settlement = 4;
    /// Slower than the incumbent by that: out at once.
    double by_far = 2;
    /// Faster than the incumbent by that: little proof is enough.
    double clearly = 1.5;
    /// Faster than the incumbent by that, as far as it was seen: its calls are expected to gain.
    double promising = 0.9;
    /// A change costs more than it gains where times are nearly equal; going back to native is free.
    double lead = 0.02;
    /// Halving spares who is so near the best.
    double near = 1.1;
    std::array<std::size_t, 5> pairs{1, 3, 8, 16, 32};
    std::size_t watched_pairs = 8;
    /// Its ratio to the winner has changed since by that: all is open again.
    double drift = 1.3;
    std::size_t most_tried = 32;
};

}  // namespace echelon
