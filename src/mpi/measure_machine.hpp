// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/fit_machine.hpp"
#include "groups/placement.hpp"
#include "mpi/common_start.hpp"

namespace echelon {

/// How closely a machine is looked at: `brief` with few lengths, none of them long, and few repetitions.
enum class Look { thorough, brief };

/// Measures messages between pairs of ranks inside a node, between nodes of a switch, between switches and between sites, alone and many at once, and
/// the work of combining and copying, of all ranks at once, and of one and several of each node; in about `seconds`, or less. Collective; the same samples on all ranks.
/// Error, on all ranks: a brief look found too little in that time.
MachineSamples measure_machine(MPI_Comm comm, const Placement& placement, CommonStart& start, double seconds,
                               Look look = Look::thorough);

}  // namespace echelon
