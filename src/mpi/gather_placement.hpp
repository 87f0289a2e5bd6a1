// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <mpi.h>

namespace echelon {

/// A key of this node: equal on ranks of one node, and on nodes with the same name. Local.
std::uint64_t node_by_name();
/// A key of this node: equal exactly on ranks that can share memory. Makes a temporary communicator; if the
/// library has none left, the key is node_by_name(). Collective.
std::uint64_t own_node(MPI_Comm comm);
/// Number of ranks of `comm` on this rank's node, by own_node(). Collective.
int ranks_on_own_node(MPI_Comm comm);

/// The placement of all ranks. Each passes its `node` and `region`; with `topology` hwloc adds the inside of
/// the node, which costs milliseconds on first use. Collective; the same result on all ranks.
Placement gather_placement(MPI_Comm comm, std::uint64_t node, const Region& region, bool topology);

}  // namespace echelon
