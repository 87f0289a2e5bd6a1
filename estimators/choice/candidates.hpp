// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/recipe_time.hpp"

#include <cstdint>

namespace echelon {

/// A recipe that may serve a call, and its time by the model.
struct Priced {
    Recipe recipe;
    Seconds seconds = 0;
};

/// How widely candidates are searched.
enum class Width : std::uint8_t {
    /// For default costs. Like `best`, but if several nodes hold several ranks each, no numbers of groups and
    /// only two algorithms on all ranks; else only two numbers of groups.
    few,
    /// For a decision: the best pair of each shape, for groups of the topology and up to five numbers of
    /// groups.
    best,
    /// For a calibration: every number of groups, and runners-up.
    some,
    /// Every pair of algorithms at every number of groups, with half and double segments. Slow.
    all
};

/// Echelon's own recipes that may serve a call, the cheapest first. The model is additive in the phases of a
/// shape; hence the best pair consists of the best phases. Recipes that cannot serve are left out. Throws
/// nothing.
std::vector<Priced> candidates(RecipeTimes& times, Collective collective, Bytes bytes, Operation operation,
                               const Placement& placement, Width width);

/// Numbers of groups worth trying, ascending: the divisors of p, the one next to the square root, and powers
/// of two if p has few divisors.
std::vector<int> group_counts(int p);

}  // namespace echelon
