// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "hier/byte_range.hpp"

#include <span>
#include <vector>

namespace echelon {

/// What a call took natively and through shared memory, one beside the other.
struct Pace {
    Seconds native = 0, shared = 0;

    double ratio() const { return shared / native; }
    /// So much less than native is no accident.
    bool leads() const { return ratio() <= 0.9; }
    /// Longer vectors gain too.
    bool leads_by_far() const { return ratio() <= 0.6; }
};

struct Raced {
    Bytes bytes;
    Pace pace;
};

/// Calls of these sizes are faster through shared memory, as one of the greatest size took, or would.
struct Lead {
    ByteRange sizes;
    Pace pace;
};

/// Where shared memory leads: below the shortest size that was raced, between two neighbours where it does at both, and above the longest,
/// to twice the size, where it does by far. Between two sizes by parts of two, each with a pace in between. Requires: in the order of sizes.
std::vector<Lead> leads_of(std::span<const Raced> raced);

}  // namespace echelon
