// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// The sizes of calls that are decided before they come: two to each power of two, of 8 bytes to 6 MB.
struct UsualSizes {
    static constexpr unsigned least_exponent = 3, most_exponent = 22;
    static constexpr Bytes power(unsigned exponent) { return Bytes(1) << exponent; }
    /// Half as much again.
    static constexpr Bytes between(unsigned exponent) { return Bytes(3) << (exponent - 1); }
};

/// What that decider chooses for such calls, and how long all that it would have tried are expected to take: of each power of two, and
/// of what is between two of them where these have not the same recipe. As far as `in_time` says.
std::vector<Foreseen> foresee(Decider& decider, const std::vector<Collective>& collectives,
                              const std::function<bool()>& in_time);

/// Back again.
std::vector<std::pair<Bytes, Decider::Chosen>> chosen_of(const Foreseen& foreseen);

}  // namespace echelon
