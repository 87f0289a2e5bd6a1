// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <vector>

namespace echelon {

/// Some of the ranks, ascending.
using Ranks = std::vector<int>;

/// What is measured beside all ranks, as programs make communicators of them, with rank 0 in each: the first rank of every node,
/// the ranks of one node, and the first half; where these are no parts, the first quarter. And four far from each other,
/// of four nodes if there are so many: where the fewest meet, times of many say least.
std::vector<Ranks> measured_parts(const Placement& placement);

/// Communicators that programs make together, of two ranks at least: none shares ranks with another.
using Siblings = std::vector<Ranks>;

/// The communicators that programs make of all ranks, of each kind one whose ranks sit that way, and after it its siblings: all of
/// them; rows and columns of a grid as nearly square as can be; the ranks of each node, and those with the same place in it; halves
/// and quarters; every second and every fourth rank; and those of other grids. The usual ones first, no more than `most`.
std::vector<Siblings> usual_parts(const Placement& placement, std::size_t most);

}  // namespace echelon
