// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"

#include <mpi.h>

namespace echelon {

/// Rank 0's word on all ranks, whose clocks or memories may differ. Collective.
inline bool as_rank_0_says(bool own, MPI_Comm comm) {
    int said = own ? 1 : 0;
    check(PMPI_Bcast(&said, 1, MPI_INT, 0, comm), "MPI_Bcast");
    return said != 0;
}

/// Whether all ranks say so. Collective.
inline bool all_say(bool own, MPI_Comm comm) {
    int least = own ? 1 : 0;
    check(PMPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return least != 0;
}

}  // namespace echelon
