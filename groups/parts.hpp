// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <vector>

namespace echelon {

/// Some of the ranks, ascending.
using Ranks = std::vector<int>;

/// Parts of the ranks to measure besides all ranks, like communicators that programs make. Each contains rank
/// 0: the first rank of every node, the ranks of one node, and the first half; if these are fewer than three
/// different proper parts, the first quarter too. From 8 ranks on there are also four ranks far from each
/// other, on four nodes if possible: times of many ranks say least about few.
std::vector<Ranks> measured_parts(const Placement& placement);

/// Communicators that programs make together, each of at least two ranks. They share no ranks.
using Siblings = std::vector<Ranks>;

/// Communicators that programs usually make of all ranks. There is one entry per kind of layout: a
/// communicator with this layout, followed by its siblings. The candidates are all ranks; rows and columns of
/// the most nearly square grid; the ranks of each node, and ranks with the same place in their nodes; halves
/// and quarters; every second and every fourth rank; and rows and columns of other grids. The usual ones come
/// first; at most `most` entries.
std::vector<Siblings> usual_parts(const Placement& placement, std::size_t most);

}  // namespace echelon
