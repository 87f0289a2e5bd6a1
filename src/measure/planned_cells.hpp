// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"

#include <vector>

namespace echelon {

/// A collective at a size, of which recipes are measured.
struct PlannedCell {
    Collective collective;
    Bytes bytes;
    /// The sizes on both sides are looked at before.
    bool between;
};

/// All that make sense on so many ranks, in the order in which they are measured: the first size, the middle one, the quarters, and so on; if
/// time runs out, what was measured is spread over all sizes. Every second size comes last, and needs fewer recipes, known from its
/// neighbours. A barrier has no size, and a block at least a byte.
std::vector<PlannedCell> planned_cells(const std::vector<Collective>& collectives, std::vector<Bytes> sizes,
                                       int ranks);

}  // namespace echelon
