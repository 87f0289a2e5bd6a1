// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/meeting.hpp"

#include <mpi.h>

#include <string>

namespace echelon {

/// Rank 0's text on all ranks, which meet at `place`. Collective.
std::string broadcast(std::string text, MPI_Comm comm, Place place = Place::current());

}  // namespace echelon
