// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/sample_times.hpp"

namespace echelon {

/// Learns surrogates of the native collectives on several nodes from the native samples: recipes whose replay
/// takes about as long. Without parameters there is no replay and no surrogate. The number of replayed
/// messages is limited; the remaining samples get no surrogate. Surrogates from layouts without a known
/// placement of every rank stay.
void learn_likenesses(Profile& profile);
/// Like the above, with a given model of the profile's machine.
void learn_likenesses(Profile& profile, SampleTimes& model);

}  // namespace echelon
