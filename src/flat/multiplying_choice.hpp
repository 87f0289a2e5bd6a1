// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/multiplying_schedule.hpp"

namespace echelon {

/// Number of messages that a rank receives or sends one after the other in a stage: B - 1, and one for every
/// remaining rank of its group.
int one_ported_rounds(const MultiplyingStage& stage);

/// The schedule with the least sum of (overlap + rounds) over its stages. `overlap` is the latency that the
/// messages of a stage share, in units of the time of one message (alpha_p / alpha_r of the paper's
/// pipelining postal model; the paper measured 4 on a Cray XC30). Larger bases come first: most messages stay
/// near.
MultiplyingSchedule best_multiplying_schedule(int p, double overlap = 4);

/// The schedule in `text`, or the best one if `text` is empty. Throws Error if `text` does not fit p ranks.
MultiplyingSchedule multiplying_schedule(std::string_view text, int p);

}  // namespace echelon
