// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"
#include "estimators/price/predictor.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace echelon {

/// Limits of the replays: number of candidates, and of messages in all these replays; afterwards as many
/// messages again for other segments of the best candidate.
struct Effort {
    std::size_t candidates, messages;
};

/// Corrects the order proposed by the sums of phases: replays candidates as a whole until the one expected to
/// be fastest was replayed, and adds longer and shorter segments of it. `judged` returns a recipe judged by a
/// replay of `model`, which counts its messages.
void replay_first(std::vector<Candidate>& list, Collective collective, Bytes bytes, const Predictor& model,
                  Effort effort, const std::function<Candidate(const Recipe&)>& judged);

}  // namespace echelon
