// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// Rank 0 broadcasts its decisions for common sizes, the sizes whose first calls need not ask it, and a route
/// if a recipe lacks one. Called on communicator creation if there is a profile, and for a communicator that
/// gets a profile of its own. Rank 0 decides for at most a tenth of a second; unless `asked`, only if the
/// decision is at hand or fits into a hundredth of the run time. Requires: tuner.machine() has the profile.
/// Collective.
void tell_common_sizes(Tuner& tuner, bool asked = false);

}  // namespace echelon
