// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

namespace echelon {

/// What a calibration of these ranks is asked to measure.
struct Asked {
    std::vector<Collective> collectives;
    std::vector<Bytes> sizes;
    int p;
    std::string layout;
};

/// Notes in the profile what of all this has no samples, beside what earlier calibrations did not reach and this one
/// neither.
void note_not_reached(Profile& profile, const Asked& asked);

}  // namespace echelon
