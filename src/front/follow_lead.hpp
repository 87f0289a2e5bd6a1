// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Takes for told what MPI_Init has found out about shared memory for such calls: it runs at once where it was seen to lead and its memory is
/// there, and else is tried beside native, by what is expected of it, unless it lost where calls are too short for that. False: nothing is known, or something else was asked for. Local, the same
/// on all ranks.
bool follow_lead(State& state, const PlanKey& key);

}  // namespace echelon
