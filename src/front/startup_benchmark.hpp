// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/process.hpp"
#include "core/units.hpp"

namespace echelon {

/// Compares native calls with `shm`, in turns, in MPI_Init. If `shm` is faster, calls on MPI_COMM_WORLD use
/// it from the first one on, in a trial beside native. Does nothing unless all ranks sit on one node with a
/// processor each and no recipe is asked for. `init_took`: time of the library's own MPI_Init. The
/// benchmark takes a fifth of it by default, 20 ms at most, and the call that runs when this is over.
/// Collective over MPI_COMM_WORLD, the same on all ranks.
void startup_benchmark(Process& process, Seconds init_took);

}  // namespace echelon
