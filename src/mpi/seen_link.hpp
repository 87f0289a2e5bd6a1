// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"

#include <mpi.h>

namespace echelon {

/// The latency and bandwidth between two ranks of a communicator, from the quicker of two round trips of 8
/// bytes and of 32 KiB each. Collective; the same on all ranks.
Hockney seen_link(int one, int other, MPI_Comm comm);

}  // namespace echelon
