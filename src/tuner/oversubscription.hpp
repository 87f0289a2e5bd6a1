// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/process.hpp"

namespace echelon {

/// Decides for `shm` if ranks share processors, spin while they wait, and no other recipe is asked for. A
/// native call takes some turns of the scheduler, of milliseconds each; ranks in shared memory yield. There
/// is no start-up benchmark: one native call would take longer than all of it. The window of MPI_COMM_WORLD
/// is made here, other windows in the first synchronising call. Collective over MPI_COMM_WORLD, in MPI_Init.
void decide_oversubscribed(Process& process);

}  // namespace echelon
