// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "core/program.hpp"
#include "estimators/simulator/timeline.hpp"

#include <ostream>
#include <string>
#include <string_view>

namespace echelon {

/// Properties of the whole call that a trace viewer shows.
struct TracedCall {
    std::string title;
    std::string_view collective;
    std::string recipe;
    Bytes bytes;
};

/// Writes a timeline in the Trace Event Format of Chrome, which Perfetto and others open, for any number of
/// ranks. Each rank is a process with the rows collective, out, in and processor; each message is an arrow
/// between two of them. The first row has a bar for the call and, within, one for each phase, with the names
/// used in the trace of a real run. The phases of a pipelined recipe have a row for each of its stages.
///
/// Requires: `timeline` is of a replay of `schedule`, and `phases` were recorded with it.
void write_trace(std::ostream& out, const TracedCall& call, const Schedule& schedule,
                 const PhaseSpans& phases, const Timeline& timeline);

}  // namespace echelon
