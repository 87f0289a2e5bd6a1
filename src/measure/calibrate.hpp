// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/train.hpp"

namespace echelon {

/// Measures the machine under a communicator, trains on it and briefly on communicators of some of its ranks,
/// and precomputes decisions. All this takes `training.seconds`, at most a twentieth more. Keeps the
/// profile's rules and its samples of other numbers of ranks and layouts; drops learned decisions.
/// Collective; the same profile on all ranks, before and after.
void calibrate(Trainer& trainer, Profile& profile, const Training& training);

}  // namespace echelon
