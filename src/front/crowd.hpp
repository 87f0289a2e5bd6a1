// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Where ranks share processors and spin while they wait, a call takes some turns of the scheduler, of milliseconds each; in shared memory they
/// give way. So calls there run `shm`, where nothing else is asked for, without a race: one of the library's calls would take longer than all of
/// it. The memory is made in the first call that synchronises; that of MPI_COMM_WORLD here, in MPI_Init. Collective over MPI_COMM_WORLD; local, and
/// the same on all ranks, for others.
void tell_crowd(Process& process, MPI_Comm made);

/// Shared memory, and native beside it in a tournament, by what both were seen to take.
ToldChoice rather_shared_memory(Seconds native, Seconds shared);

}  // namespace echelon
