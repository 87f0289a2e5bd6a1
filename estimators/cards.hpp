// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/machine.hpp"

#include <cmath>
#include <vector>

namespace echelon {

/// Times of a replay stand on a grid of 2^-46 s (14 fs): sums of costs are exact (up to 128 s), whatever
/// their order, and what ought to happen at the same time does.
inline Seconds on_grid(Seconds time) {
    constexpr double lines_per_second = double(1ull << 46);
    return std::nearbyint(time * lines_per_second) / lines_per_second;
}

/// What the nodes share, their network cards and memories. Each carries the messages that come to it in the
/// order in which they begin, at its rate; a message passes both cards, or one memory, and is carried no
/// faster than its own network does. Messages that begin together end as if they had shared alike, but for
/// the first ones, which end sooner.
class Cards {
public:
    Cards(const Machine& machine, int p);

    /// When the last byte has left the cards, of a message that begins now and takes `transfer` alone.
    Seconds carry(int from, int to, Bytes bytes, Seconds now, Seconds transfer);

private:
    Seconds occupy(Seconds& free, Seconds now, Seconds share) { return free = std::max(free, now) + share; }

    const Machine& machine_;
    /// When each has carried all that has begun: leaving node n at 3n, entering it 3n + 1, inside 3n + 2.
    std::vector<Seconds> free_;
};

}  // namespace echelon
