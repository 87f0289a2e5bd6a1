// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"
#include "hier/by_size.hpp"

#include <cstdint>
#include <map>
#include <optional>
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

/// What calls of these sizes take, as one of the greatest size took, or would.
struct Lead {
    enum class Kind : std::uint8_t {
        /// Faster through shared memory.
        seen,
        /// Longer than was raced, and perhaps so; the pace is that of the shortest.
        hoped,
        /// Not faster in the race. Programs may call otherwise.
        lost
    };
    ByteRange sizes;
    Pace pace;
    Kind kind = Kind::seen;
};

/// Shared memory leads below the shortest size that was raced, between two neighbours where it does at both, and above the longest,
/// to twice the size, where it does by far; last all that are longer are hoped for. Between two sizes by parts of two, each with a pace in
/// between. `beyond`: one that was raced because it does not lead at the longest of the others; where it leads there, all from half that size
/// on are hoped for. Of what is longer than a lost race nothing is known. Requires: in the order of sizes.
std::vector<Lead> leads_of(std::span<const Raced> raced, const std::optional<Raced>& beyond = {});

/// What MPI_Init has found out about shared memory, of all collectives. The same on all ranks.
struct Leads {
    std::map<Collective, BySize<Lead>> found = {};
    /// What making a communicator's memory takes; 0: as long as no call.
    Seconds window = 0;
    /// On all communicators, from the first call on.
    bool everywhere = false;

    /// Nullptr: nobody knows.
    const Lead* find(Collective collective, Bytes bytes) const;
};

}  // namespace echelon
