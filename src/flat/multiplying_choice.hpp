// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/multiplying_schedule.hpp"

namespace echelon {

/// Messages that a rank receives or sends one after the other in a stage: B - 1, and one for every remaining
/// rank of its group.
int one_ported_rounds(const MultiplyingStage& stage);

/// The schedule of least sum of (overlap + rounds) over its stages, where `overlap` is the latency that
/// messages of a stage share in units of what each takes alone (alpha_p / alpha_r of the paper's pipelining
/// postal model, which measured 4 on a Cray XC30). Larger bases first, so that most messages stay near.
MultiplyingSchedule best_multiplying_schedule(int p, double overlap = 4);

/// What an algorithm runs: the schedule in `text`, or the best one if it is empty. Throws Error if `text`
/// does not fit p ranks.
MultiplyingSchedule multiplying_schedule(std::string_view text, int p);

}  // namespace echelon
