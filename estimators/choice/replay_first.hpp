// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"
#include "estimators/price/predictor.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace echelon {

/// How many of the first candidates are replayed as a whole, until all together have had so many messages; then the best
/// one's segments, as long.
struct Effort {
    std::size_t candidates, messages;
};

/// Overturns by replay what the sums of phases propose, until the candidate that is expected to be the fastest was
/// replayed, and adds longer and shorter segments of it. `judged` is a recipe with what a replay by `model` says, which
/// counts its messages.
void replay_first(std::vector<Candidate>& list, Collective collective, Bytes bytes, const Predictor& model,
                  Effort effort, const std::function<Candidate(const Recipe&)>& judged);

}  // namespace echelon
