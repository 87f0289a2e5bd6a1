// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/candidate.hpp"
#include "estimators/predictor.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// Overturns by replay what the sums of phases propose, until the candidate that is expected to be the fastest was
/// replayed, and adds longer and shorter segments of it. `judged` is a recipe with what a replay by `model` says, which
/// counts its messages.
void replay_first(std::vector<Candidate>& list, Collective collective, Bytes bytes, const Predictor& model,
                  const std::function<Candidate(const Recipe&)>& judged);

}  // namespace echelon
