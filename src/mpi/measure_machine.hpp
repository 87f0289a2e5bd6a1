// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/fit_machine.hpp"
#include "groups/placement.hpp"
#include "mpi/common_start.hpp"

namespace echelon {

/// Measures messages between pairs of ranks (inside a node, between nodes of a switch, between switches,
/// between sites), alone and many at once, and the work of combining and copying, on all ranks at once and on
/// one or several of each node. Takes about `seconds` at most. Collective; the same samples on all ranks.
MachineSamples measure_machine(MPI_Comm comm, const Placement& placement, CommonStart& start, double seconds);

}  // namespace echelon
