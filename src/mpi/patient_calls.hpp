// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// Calls for agreements between ranks that may share processors. A rank that waits gives its processor away;
/// the library would keep it for a time slice, milliseconds in each step of a call. All ranks use the same of
/// these calls. They check for errors.

void wait_patiently(MPI_Request& request);
/// MPI_Allreduce in place. Collective over `comm`.
void allreduce_patiently(void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/// MPI_Allgather of `bytes` bytes of each rank. Collective over `comm`.
void allgather_patiently(const void* own, void* all, int bytes, MPI_Comm comm);

}  // namespace echelon
