// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

#include <string>

namespace echelon {

/// What a call would run, as people read it.
struct InWords {
    std::string recipe, source, phases;
    /// Why what was asked for does not; empty: it does.
    std::string refusal;
};

/// By what this rank knows. Collective where there is a profile, on first use.
InWords would_run(State& state, Collective collective, Bytes bytes);

}  // namespace echelon
