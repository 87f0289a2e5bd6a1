// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recorded_team.hpp"

#include <limits>

namespace echelon {

/// The size of a schedule, estimated from the programs of a few of its ranks.
struct RecordingSize {
    double steps = 0;
    /// Bytes of memory.
    double bytes = 0;
    /// Elements of scratch space on all ranks together.
    double scratch = 0;
};

/// The size of the schedule of record() with the same arguments, without recording it. The estimate stops
/// with the ranks seen until then if they take more than `most_bytes`. Error: the recipe cannot serve the
/// call.
RecordingSize recording_size(const Recipe& recipe, const Call& call, const Placement& placement,
                             std::optional<WindowShape> window = {},
                             double most_bytes = std::numeric_limits<double>::infinity());

}  // namespace echelon
