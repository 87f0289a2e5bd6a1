// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <mpi.h>

namespace echelon {

/// Equal on ranks of one node, and on those of nodes with the same name. Local.
std::uint64_t node_by_name();
/// Equal exactly on ranks of one node, which can share memory. Makes a communicator for a moment; where the
/// library has none left, nodes are told apart by their names. Collective.
std::uint64_t own_node(MPI_Comm comm);
/// The same way. Collective.
int ranks_on_own_node(MPI_Comm comm);

/// Who sits where, asked of all ranks, each on its `node` in its `region`; what is inside a node by hwloc if `topology`,
/// which costs some 10 ms the first time. Collective; the same result on all ranks.
Placement gather_placement(MPI_Comm comm, std::uint64_t node, const Region& region, bool topology);

}  // namespace echelon
