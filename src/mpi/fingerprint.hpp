// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "groups/ranks_per_node.hpp"

namespace echelon {

/// First line of the MPI library's version string.
std::string mpi_library();

/// The MPI library's name for this process's node.
std::string mpi_host();

/// The machine of this process, without the number of ranks on the busiest node, which the caller adds.
/// Local.
Fingerprint fingerprint_here();

/// Number of ranks on this node, from the launcher's environment; 0 if it does not tell. Local.
int ranks_on_this_node();

}  // namespace echelon
