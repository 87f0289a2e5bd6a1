// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <vector>

namespace echelon {

/// Two calls of one kind, made soon after each other by two recipes.
struct Pair {
    Seconds ours, theirs;
};

/// How often noise alone may pass for a lead: about 1 time in 10 (three of three pairs show it), or 1 in 100
/// (seven of seven).
enum class Proof : std::uint8_t { little, much };

/// Most of the pairs, the clearer ones above all, show `ours` below `theirs` times `factor`: the signed-rank
/// test of Wilcoxon (Individual comparisons by ranking methods, 1945), which a few calls that took a hundred
/// times as long do not move. Uses no function of libm: the same on processors of every kind.
bool below(const std::vector<Pair>& pairs, double factor, Proof proof);
bool above(const std::vector<Pair>& pairs, double factor, Proof proof);

/// The median of ours over theirs. Requires: at least one pair.
double middle_ratio(const std::vector<Pair>& pairs);

}  // namespace echelon
