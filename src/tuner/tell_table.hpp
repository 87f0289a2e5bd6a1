// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// Rank 0 tells its decisions for common sizes by the profile, and a route if a recipe lacks one: on
/// communicator creation, for a communicator that gets a profile of its own, and where the ranks first
/// meet in a program whose MPI_Init was not seen. Rank 0 decides for at most TunerRules::table seconds;
/// unless `asked`, only if a decision is at hand or fits into a hundredth of the run time. Requires:
/// tuner.machine() has the profile. Collective.
void tell_table(Tuner& tuner, bool asked = false);

}  // namespace echelon
