// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

namespace echelon {

/// Cells that a calibration of these ranks has to measure.
struct Asked {
    std::vector<Collective> collectives;
    std::vector<Bytes> sizes;
    int p;
    std::string layout;
};

/// Records in the profile the cells without samples, of this calibration and of earlier ones.
void note_not_reached(Profile& profile, const Asked& asked);

}  // namespace echelon
