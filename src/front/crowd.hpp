// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/process.hpp"

namespace echelon {

/// Where ranks share processors and spin while they wait, a call takes some turns of the scheduler, of milliseconds each; in shared memory they
/// give way. So calls there run `shm`, where nothing else is asked for, without a race: one of the library's calls would take longer than all of
/// it. A communicator's memory is made in the first call that synchronises; that of MPI_COMM_WORLD here, in MPI_Init. Collective over
/// MPI_COMM_WORLD.
void lead_in_crowd(Process& process);

}  // namespace echelon
