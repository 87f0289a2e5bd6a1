// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"

#include <mpi.h>

namespace echelon {

/// What a message takes between two ranks of a communicator: two short ones and two of 32 KB go there and back, and the quicker of each counts.
/// The same on all ranks. Collective.
Hockney seen_link(int one, int other, MPI_Comm comm);

}  // namespace echelon
