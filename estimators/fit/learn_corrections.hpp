// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/sample_times.hpp"

namespace echelon {

/// What families of recipes take of the time that the model predicts, by number of ranks and size, from the
/// profile's samples; and how far off the model alone, and what was learned of a family, typically is: what four of five times do
/// not exceed, of sizes that are left out for it where a family was measured at several. Replaces what was there, but for samples of which it is not known
/// where their ranks were: of these what was learned where that was known stays.
void learn_corrections(Profile& profile);
/// The same where the samples grow: `model`, of the profile's machine, remembers what it said.
void learn_corrections(Profile& profile, SampleTimes& model);

}  // namespace echelon
