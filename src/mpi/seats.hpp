// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <mpi.h>

namespace echelon {

/// Who sits where, asked of all ranks: nodes by what can share memory (MPI_Comm_split_type), packages and
/// NUMA nodes by hwloc if `topology`, which costs some 10 ms the first time. Collective over `comm`, a
/// communicator of ours; the same result on all ranks.
Placement gather_placement(MPI_Comm comm, bool topology);

}  // namespace echelon
