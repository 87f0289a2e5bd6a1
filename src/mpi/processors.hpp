// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/crowding.hpp"

#include <mpi.h>

namespace echelon {

/// Those that this process may run on, as it was bound.
ProcessorSet own_processors();

/// This node has not so many. Local: containers may show different ones.
bool has_fewer_processors(int ranks);
/// Whether not each rank of a communicator on one node can have a processor of its own. Collective over it, the same on all of them.
bool is_crowded(MPI_Comm node);

/// What was preloaded lets this rank give its processor away while it waits for messages: on a node of which others' ranks are not seen.
bool was_made_to_give_processors_away();
/// This rank keeps its processor meanwhile: by the library's own ways, and nothing was preloaded against it.
bool waits_spinning();

}  // namespace echelon
