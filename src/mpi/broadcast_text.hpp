// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/meeting.hpp"

#include <mpi.h>

#include <string>

namespace echelon {

/// Rank 0's text on all ranks, which meet at `place`. Collective.
std::string broadcast(std::string text, MPI_Comm comm, Place place = Place::current());
/// The same where ranks do not meet: rank 0 waits for nobody. All ranks do so in the same of their common calls.
std::string hand_out(std::string text, MPI_Comm comm);

}  // namespace echelon
