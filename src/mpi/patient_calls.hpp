// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// By which ranks settle things where there may be more of them than processors: who waits gives its processor away, where the library would keep it
/// for a turn of the scheduler, milliseconds in each step of a call. All ranks call the same of these. Checked.

void wait_patiently(MPI_Request& request);
/// Collective over `comm`; data = op of what all ranks have there.
void allreduce_patiently(void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/// Collective over `comm`; `bytes` of each rank.
void allgather_patiently(const void* own, void* all, int bytes, MPI_Comm comm);

}  // namespace echelon
