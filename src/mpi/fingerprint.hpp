// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "groups/ranks_per_node.hpp"

namespace echelon {

/// First line of what the MPI library says of itself.
std::string mpi_library();

/// The name of this process's node, as the MPI library calls it.
std::string mpi_host();

/// Where this process runs. Local; the ranks of the busiest node are the caller's to add.
Fingerprint fingerprint_here();

/// Those on this node, as far as the launcher tells; 0: it does not. Local.
int ranks_on_this_node();

}  // namespace echelon
