// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

// The moment of a decision: rank 0's time for it must be a small part of the time of the class's calls. A
// decision begins when its assumed time is paid for, stops when all paid time is used up, and goes on at a
// later question.

/// Number of native calls before rank 0 is asked about a class: the question then costs a twentieth of their
/// time. 0 if a profile, or on several nodes a file of findings, may have an answer. Equal on all ranks.
long native_calls_first(Tuner& tuner, const PlanKey& key);

// On rank 0:

/// Number of further native calls of a class before a decision pays off; 0: decide now.
long further_native_calls(Tuner& tuner, const CallState& calls);
/// Seconds that the decision may take now; that a decision may take about calls that may never come.
Seconds time_to_decide(Tuner& tuner, const CallState& calls);
Seconds time_to_decide_early(Tuner& tuner, const PlanKey& key);

}  // namespace echelon
