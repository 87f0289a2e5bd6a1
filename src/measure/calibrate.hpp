// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/train.hpp"

namespace echelon {

/// Measures the machine under a communicator and trains on it, briefly on communicators of some of its ranks, too,
/// for `training.seconds` altogether, a twentieth more at most, and foresees what programs ask: all that a profile holds. Keeps the profile's rules and its samples of other
/// numbers of ranks and layouts; learned decisions are forgotten. Collective; the same profile on all ranks, before
/// and after.
void calibrate(Trainer& trainer, Profile& profile, const Training& training);

}  // namespace echelon
