// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// Completes a new communicator. Drops the states of freed communicators; makes the parts of requested
/// recipes for calls that do not synchronise; with a profile, rank 0 tells its decisions for common sizes;
/// inside a node, makes the window in which `shm` serves calls that do not synchronise. Collective over
/// `made` if there is something to do.
void on_creation(Process& process, MPI_Comm made);

/// Creates the communicators and windows of a requested recipe, if calls of the collective do not
/// synchronise, and always for alltoall, since an alltoallv does not. Collective.
void provide(Tuner& tuner, Collective collective, const Recipe& recipe);

}  // namespace echelon
