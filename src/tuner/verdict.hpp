// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/decide.hpp"

namespace echelon {

// Trials on rank 0.

/// Begins the trial of a class, if there are arms to compare and trials are allowed, and adds its first
/// agenda to the row.
void begin_trial(Tuner& tuner, Row& row, CallDecision decision);

/// The row of a class after the numbers of its last agenda have come, with the next agenda.
Row judged(Tuner& tuner, const CallClass& calls, const std::vector<double>& reduced);

}  // namespace echelon
