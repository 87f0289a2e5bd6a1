// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/crowding.hpp"

#include <mpi.h>

namespace echelon {

/// The processors to which this process is bound.
ProcessorSet own_processors();

/// True if this node has fewer than `ranks` processors. Local: the answer may differ between containers.
bool has_fewer_processors(int ranks);
/// True if the ranks of a communicator on one node cannot each have a processor. Collective; the same on all
/// ranks.
bool is_crowded(MPI_Comm node);

/// True if a preloaded library (src/pmpi/yield.c) gives this rank's processor away while it waits for
/// messages.
bool was_made_to_give_processors_away();
/// True if this rank keeps its processor while it waits: the library spins, and no preloaded library prevents
/// it.
bool waits_spinning();

}  // namespace echelon
