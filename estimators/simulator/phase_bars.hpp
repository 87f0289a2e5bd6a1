// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "core/program.hpp"
#include "estimators/simulator/timeline.hpp"

#include <span>
#include <string>
#include <vector>

namespace echelon {

/// A phase on one rank in time: from the rank's arrival until it goes on.
struct PhaseBar {
    int rank;
    /// An index of PhaseSpans::names.
    std::uint32_t name;
    std::size_t strand;
    /// Number of phases that enclose it.
    int depth;
    Bytes bytes;
    /// Size and members of its group.
    int ranks;
    std::string members;
    Seconds begin, end;
};

/// The bars of all recorded phases. Requires: `timeline` is of a replay of `schedule`, and `phases` were
/// recorded with it.
std::vector<PhaseBar> phase_bars(const PhaseSpans& phases, const Schedule& schedule,
                                 const Timeline& timeline);

/// Text of a set of ranks: "0-3, 8, 12-15". A long set is cut to its beginning and its end: "0, 8, 16, 24,
/// ..., 504".
std::string ranks_text(std::span<const int> ranks);

}  // namespace echelon
