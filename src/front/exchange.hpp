// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

// What trials took on each rank becomes known to all, and what they have found is kept.

/// Lets the ranks exchange what trials took, where some are over: at once where these have paid for that, else in rounds, a step in each call. True: it
/// is known. Collective, in a call that synchronises.
bool exchange_times(State& state);

/// Keeps what was found of these, and forgets the plans of their calls. The same on all ranks.
void take_findings(State& state, const std::vector<CallClass>& found);

}  // namespace echelon
