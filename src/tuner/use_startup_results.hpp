// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// Makes a decision from the result of the start-up benchmark: `shm` serves at once if it was faster and its
/// window exists. Otherwise it is tried beside native, unless it lost in calls too short for a trial. False:
/// there is no result, or another recipe was asked for. Local, equal on all ranks.
bool use_startup_results(Tuner& tuner, const PlanKey& key);

}  // namespace echelon
