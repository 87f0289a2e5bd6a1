// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// Sizes that are decided in advance: two per power of two, from 8 bytes to 6 MB.
struct UsualSizes {
    static constexpr unsigned least_exponent = 3, most_exponent = 22;
    static constexpr Bytes power(unsigned exponent) { return Bytes(1) << exponent; }
    /// 1.5 times power(exponent).
    static constexpr Bytes between(unsigned exponent) { return Bytes(3) << (exponent - 1); }
};

/// Precomputes decisions: at each power of two, and between two powers that have different recipes, with the
/// expected times of all recipes that a trial would compare. Stops when `in_time` returns false.
std::vector<Foreseen> foresee(Decider& decider, const std::vector<Collective>& collectives,
                              const std::function<bool()>& in_time);

}  // namespace echelon
