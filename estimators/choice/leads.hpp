// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"
#include "hier/by_size.hpp"

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

/// Calls of these sizes are faster through shared memory, as one of the greatest size took, or would.
struct Lead {
    ByteRange sizes;
    Pace pace;
    /// False: longer ones than were raced; to be tried. The pace is that of the shortest.
    bool seen = true;
};

/// Where shared memory leads: below the shortest size that was raced, between two neighbours where it does at both, and above the longest,
/// to twice the size, where it does by far; last all that are longer, unseen. Between two sizes by parts of two, each with a pace in
/// between. `beyond`: one that was raced because it does not lead at the longest of the others; where it leads there, all from half that size
/// on are unseen. Requires: in the order of sizes.
std::vector<Lead> leads_of(std::span<const Raced> raced, const std::optional<Raced>& beyond = {});

/// What MPI_Init has found out about shared memory, of all collectives. The same on all ranks.
struct Leads {
    std::map<Collective, BySize<Lead>> found = {};
    /// What making a communicator's memory takes; 0: as long as no call.
    Seconds window = 0;
    /// On all communicators, from the first call on.
    bool everywhere = false;

    /// Nullptr: shared memory does not lead there, or nobody knows.
    const Lead* find(Collective collective, Bytes bytes) const;
};

}  // namespace echelon
