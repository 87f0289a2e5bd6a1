// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// The MPI library's own collectives with the user's arguments, untouched: what runs where Echelon has no
/// part. Counts beyond int use the library's large-count functions; where it has none, MPI_ERR_COUNT.
int native_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int native_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm);
int native_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int native_barrier(MPI_Comm comm);

}  // namespace echelon
