// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>

namespace echelon {

/// Rank 0's text on all ranks. Collective.
std::string broadcast(std::string text, MPI_Comm comm);

}  // namespace echelon
