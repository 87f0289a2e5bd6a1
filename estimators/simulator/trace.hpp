// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "core/program.hpp"
#include "estimators/simulator/timeline.hpp"

#include <ostream>
#include <string>
#include <string_view>

namespace echelon {

/// What a viewer of a trace shows of the whole call.
struct TracedCall {
    std::string title;
    std::string_view collective;
    std::string recipe;
    Bytes bytes;
};

/// A timeline in the Trace Event Format of Chrome, which Perfetto and others open, for as many ranks as there
/// are. Each rank is a process with the rows collective, out, in and processor, each message an arrow between two of
/// them. The first row has a bar for the call and, within, one for each phase, called as in a trace of a real run; the phases
/// of a pipelined recipe have a row for each of its stages.
///
/// Requires: `timeline` is of a replay of `schedule`, and `phases` were recorded with it.
void write_trace(std::ostream& out, const TracedCall& call, const Schedule& schedule,
                 const PhaseSpans& phases, const Timeline& timeline);

}  // namespace echelon
