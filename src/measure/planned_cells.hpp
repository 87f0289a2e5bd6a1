// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"

#include <vector>

namespace echelon {

/// A collective at a size for which recipes are measured.
struct PlannedCell {
    Collective collective;
    Bytes bytes;
    /// True if the sizes on both sides are measured earlier.
    bool between;
};

/// All meaningful cells on `ranks` ranks, in the order of their measurement: the first size, the middle one,
/// the quarters and further halves. If time runs out, the measured sizes are spread over the whole range.
/// Every second size comes last and needs fewer recipes, known from its neighbours. A barrier has no size,
/// and a block has at least one byte.
std::vector<PlannedCell> planned_cells(const std::vector<Collective>& collectives, std::vector<Bytes> sizes,
                                       int ranks);

}  // namespace echelon
