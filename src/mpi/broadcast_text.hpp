// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/async_broadcast.hpp"
#include "mpi/meeting.hpp"

#include <mpi.h>

#include <string>
#include <utility>

namespace echelon {

/// Rank 0's text on all ranks. `place` is the agreement's place in the code (Meetings). Collective.
inline std::string broadcast(std::string text, MPI_Comm comm, Place place = Place::current()) {
    Meetings{comm}.hold(0, place);
    return AsyncBroadcast::at_once(std::move(text), comm);
}

}  // namespace echelon
