// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/handout.hpp"
#include "mpi/meeting.hpp"

#include <mpi.h>

#include <string>
#include <utility>

namespace echelon {

/// Rank 0's text on all ranks, which meet at `place`. Collective.
inline std::string broadcast(std::string text, MPI_Comm comm, Place place = Place::current()) {
    Meetings{comm}.hold(0, place);
    return Handout::at_once(std::move(text), comm);
}

}  // namespace echelon
