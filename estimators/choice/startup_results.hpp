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

/// Times of a call natively and through shared memory, measured side by side.
struct Pace {
    Seconds native = 0, shared = 0;

    double ratio() const { return shared / native; }
    /// True if shared memory is faster by more than noise.
    bool leads() const { return ratio() <= 0.9; }
    /// True if longer vectors will gain too.
    bool leads_by_far() const { return ratio() <= 0.6; }
};

struct Raced {
    Bytes bytes;
    Pace pace;
};

/// Result of the start-up benchmark for a range of sizes. `pace` is that of the greatest size, measured or
/// interpolated.
struct StartupResult {
    enum class Kind : std::uint8_t {
        /// Faster through shared memory.
        seen,
        /// Longer than the benchmarked sizes and perhaps faster; `pace` is that of the shortest of them.
        hoped,
        /// Not faster in the benchmark. A program's calls may differ.
        lost
    };
    ByteRange sizes;
    Pace pace;
    Kind kind = Kind::seen;
};

/// Interprets the benchmarked sizes. Shared memory leads up to the shortest size if it is faster there,
/// between two neighbours if it is faster at both, and above the longest up to twice its size if it is faster
/// by far there. All longer sizes are `hoped`. Ranges between two sizes are cut at doublings, each with an
/// interpolated pace. `beyond` is a further size, benchmarked because shared memory is not faster at the
/// longest of the others; if it is faster there, all sizes from half of it on are `hoped`. Sizes above a lost
/// benchmark have no result. Requires: ascending sizes.
std::vector<StartupResult> results_of(std::span<const Raced> raced, const std::optional<Raced>& beyond = {});

/// Results of the start-up benchmark of shared memory in MPI_Init, for all collectives; equal on all ranks.
struct StartupResults {
    std::map<Collective, BySize<StartupResult>> found = {};
    /// Time to create a communicator's shared memory; 0 if it costs no more than a call.
    Seconds window = 0;
    /// True if shared memory serves all communicators from their first call on.
    bool everywhere = false;

    /// The result for a call; nullptr if unknown.
    const StartupResult* find(Collective collective, Bytes bytes) const;
};

}  // namespace echelon
