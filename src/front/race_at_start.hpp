// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/process.hpp"
#include "core/units.hpp"

namespace echelon {

/// In MPI_Init, where all ranks sit on one node with a processor each and nothing is asked for: a few calls of the library's
/// collectives and of `shm`, in turns. Where `shm` takes less, calls on MPI_COMM_WORLD run it from the first on, beside native in a
/// tournament. `init_took`: what the library's own MPI_Init took here. By default the race takes a fifth of it, 12 ms at most, and
/// what the call takes that runs then. Collective over MPI_COMM_WORLD, the same on all ranks.
void race_at_start(Process& process, Seconds init_took);

}  // namespace echelon
