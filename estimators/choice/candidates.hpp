// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/recipe_time.hpp"

#include <cstdint>

namespace echelon {

/// A recipe that may serve a call, and what the model says that it takes.
struct Priced {
    Recipe recipe;
    Seconds seconds = 0;
};

/// How wide the candidates are searched.
enum class Width : std::uint8_t {
    /// For a decision about a machine that nobody measured, or only for an instant: as `best`, but groups of nodes
    /// alone and two algorithms on all ranks, or two numbers of groups where each rank has its node; no halves on all ranks.
    few,
    /// For a decision: at every number of groups the best pair of each shape.
    best,
    /// For a calibration: the runners-up too.
    some,
    /// Every pair of algorithms at every number of groups, half and double segments. Slow.
    all
};

/// The recipes of our own that may serve a call, the cheapest first. The model is additive in the phases of a
/// shape, so that the best pair is made of the best phases. Throws nothing; what cannot serve is left out.
std::vector<Priced> candidates(RecipeTimes& times, Collective collective, Bytes bytes, Operation operation,
                               const Placement& placement, Width width);

/// Numbers of groups worth a look, ascending: the divisors of p, the one next to the square root, and powers
/// of two where p has few divisors.
std::vector<int> group_counts(int p);

}  // namespace echelon
