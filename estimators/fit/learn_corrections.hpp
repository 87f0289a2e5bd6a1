// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/sample_times.hpp"

namespace echelon {

/// Learns the ratio of measured to predicted time of each recipe family, by number of ranks and size, from
/// the profile's samples. Also sets the typical error of the model and of each family: the 80th percentile,
/// for families of several sizes including the error at each size when it is left out. Replaces the profile's
/// corrections, except corrections from samples whose ranks have no known placement.
void learn_corrections(Profile& profile);
/// Like the above while samples are added: `model`, of the profile's machine, remembers its replays.
void learn_corrections(Profile& profile, SampleTimes& model);

}  // namespace echelon
