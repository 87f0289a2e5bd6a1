// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// Completes a new communicator. Drops the states of freed communicators; provides for forced recipes in
/// calls that do not synchronise; with a profile, rank 0 broadcasts its decisions for common sizes.
/// Collective over `made` if there is something to do.
void on_creation(Process& process, MPI_Comm made);

/// Creates the communicators and windows of a forced recipe, if calls of the collective do not synchronise.
/// Collective.
void provide(Tuner& tuner, Collective collective, const Recipe& recipe);

}  // namespace echelon
