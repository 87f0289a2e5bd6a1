// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit_machine.hpp"
#include "groups/placement.hpp"
#include "mpi/common_start.hpp"

namespace echelon {

/// Measures messages between pairs of ranks inside a node and between nodes, alone and many at once, and the
/// work of combining and copying; in about `seconds`, or less. Collective; the same samples on all ranks.
MachineSamples measure_machine(MPI_Comm comm, const Placement& placement, CommonStart& start, double seconds);

}  // namespace echelon
