// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// MPI_Init and MPI_Init_thread, and what has to be done before threads run.
int front_init(int* argc, char*** argv);
int front_init_thread(int* argc, char*** argv, int required, int* provided);
/// MPI_Abort, before which the summary is written.
int front_abort(MPI_Comm comm, int code);

/// The collectives, with MPI's arguments. Throw; the C++ and C functions of the API turn that into MPI's
/// errors.
int front_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int front_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm);
int front_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int front_barrier(MPI_Comm comm);
int front_gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm);
int front_scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm);
int front_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm);
int front_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, MPI_Comm comm);
int front_reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm);
int front_reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm);
int front_reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm);
int front_scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int front_exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/// MPI_Comm_set_info and MPI_Comm_dup_with_info, which also hear Echelon's own keys.
int front_set_info(MPI_Comm comm, MPI_Info info);
int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made);
/// A blocking call that makes communicators has returned `code`: what Echelon settles there. Returns the
/// code.
int front_made(int code, const MPI_Comm* made);
/// Any other call that makes communicators has returned `code`: nothing that was known of another with this
/// handle is kept. Local. Returns the code.
int front_came(int code, const MPI_Comm* made);

/// MPI_Comm_free and MPI_Comm_disconnect: Echelon leaves the communicator before the program's callbacks run.
int front_free(MPI_Comm* comm);
int front_disconnect(MPI_Comm* comm);

}  // namespace echelon
