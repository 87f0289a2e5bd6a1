// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/sample_times.hpp"

namespace echelon {

/// Finds as which recipes the library's own collectives behave on several nodes, by the native samples: those whose replay takes about
/// as long. Without parameters there is no replay, and nothing is learned. It takes seconds at most; what is left then stays
/// unexplained. What was learned where it was known who sat where stays.
void learn_likenesses(Profile& profile);
/// The same with the model of the profile's own machine at hand.
void learn_likenesses(Profile& profile, SampleTimes& model);

}  // namespace echelon
