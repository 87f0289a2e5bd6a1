// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <vector>

namespace echelon {

/// The times of two similar calls shortly after each other, by two recipes.
struct Pair {
    Seconds ours, theirs;
};

/// The rate of false leads by noise alone: `little` proof is about 1 in 10 (three of three pairs), `much`
/// proof 1 in 100 (seven of seven).
enum class Proof : std::uint8_t { little, much };

/// True if most pairs, and the clear ones above all, show `ours` below `theirs` times `factor`. The
/// signed-rank test of Wilcoxon (Individual comparisons by ranking methods, 1945) is robust against a few
/// calls that took a hundred times as long. It uses no function of libm: all processors get the same result.
bool below(const std::vector<Pair>& pairs, double factor, Proof proof);
bool above(const std::vector<Pair>& pairs, double factor, Proof proof);

/// The median of `ours` over `theirs`. Requires: at least one pair.
double middle_ratio(const std::vector<Pair>& pairs);

}  // namespace echelon
