// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"

#include <mpi.h>

namespace echelon {

/// Rank 0's number, or yes or no, on all ranks, for decisions by local clocks or memory. Collective.
inline int number_of_rank_0(int own, MPI_Comm comm) {
    check(PMPI_Bcast(&own, 1, MPI_INT, 0, comm), "MPI_Bcast");
    return own;
}
inline bool as_rank_0_says(bool own, MPI_Comm comm) { return number_of_rank_0(own ? 1 : 0, comm) != 0; }

/// True if `own` is true on all ranks. Collective.
inline bool all_say(bool own, MPI_Comm comm) {
    int least = own ? 1 : 0;
    check(PMPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return least != 0;
}

}  // namespace echelon
