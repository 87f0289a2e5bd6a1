// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "groups/placement.hpp"
#include "mpi/common_start.hpp"
#include "mpi/measure_machine.hpp"

namespace echelon {

/// What measure_machine() finds, as parameters of a model. Rank 0 alone fits them: that takes a processor some 40 ms, and many ranks may
/// have one together. Collective; the same on all ranks. Error, on all: too little was found.
Parameters measured_parameters(MPI_Comm comm, const Placement& placement, CommonStart& start, double seconds,
                               Look look = Look::thorough);

}  // namespace echelon
