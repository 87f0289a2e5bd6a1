// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

// The exchange of the timings of trials, after which all ranks know the findings.

/// Exchanges the timings of trials that are due: by a blocking allreduce if they gain by it and pay for it,
/// else in rounds, one step per call. Collective, in a synchronising call.
void exchange_timings(Tuner& tuner);

}  // namespace echelon
