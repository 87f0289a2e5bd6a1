// SPDX-License-Identifier: Apache-2.0
// MPI's names in C. MPI's C++ bindings, mpi4py, and the Fortran of MPICH come through here too.
#include "front/errors.hpp"
#include "front/front_door.hpp"

#include <echelon/echelon.hpp>

#define ECHELON_MPI_NAME extern "C" ECHELON_API int

ECHELON_MPI_NAME MPI_Init(int* argc, char*** argv) { return echelon::front_init(argc, argv); }

ECHELON_MPI_NAME MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return echelon::front_init_thread(argc, argv, required, provided);
}

ECHELON_MPI_NAME MPI_Abort(MPI_Comm comm, int code) { return echelon::front_abort(comm, code); }

ECHELON_MPI_NAME MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    return echelon::allreduce(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
                            MPI_Comm comm) {
    return echelon::reduce(in, out, count, type, op, root, comm);
}

ECHELON_MPI_NAME MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return echelon::bcast(data, count, type, root, comm);
}

ECHELON_MPI_NAME MPI_Barrier(MPI_Comm comm) { return echelon::barrier(comm); }

ECHELON_MPI_NAME MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                            MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon::gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}

ECHELON_MPI_NAME MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                             MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon::scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
}

ECHELON_MPI_NAME MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                               MPI_Datatype out_type, MPI_Comm comm) {
    return echelon::allgather(in, in_count, in_type, out, out_count, out_type, comm);
}

ECHELON_MPI_NAME MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                              MPI_Datatype out_type, MPI_Comm comm) {
    return echelon::alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}

ECHELON_MPI_NAME MPI_Reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm) {
    return echelon::reduce_scatter(in, out, counts, type, op, comm);
}

ECHELON_MPI_NAME MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                          MPI_Comm comm) {
    return echelon::reduce_scatter_block(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon::scan(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
    return echelon::exscan(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
    return echelon::guarded(comm, [&] { return echelon::front_set_info(comm, info); });
}

ECHELON_MPI_NAME MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    return echelon::guarded(comm, [&] { return echelon::front_dup_with_info(comm, info, made); });
}

ECHELON_MPI_NAME MPI_Comm_free(MPI_Comm* comm) {
    return echelon::guarded(MPI_COMM_WORLD, [&] { return echelon::front_free(comm); });
}

ECHELON_MPI_NAME MPI_Comm_disconnect(MPI_Comm* comm) {
    return echelon::guarded(MPI_COMM_WORLD, [&] { return echelon::front_disconnect(comm); });
}

#if MPI_VERSION >= 4
ECHELON_MPI_NAME MPI_Allreduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm) {
    return echelon::allreduce(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Reduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              int root, MPI_Comm comm) {
    return echelon::reduce(in, out, count, type, op, root, comm);
}

ECHELON_MPI_NAME MPI_Bcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return echelon::bcast(data, count, type, root, comm);
}
ECHELON_MPI_NAME MPI_Gather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                              MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon::gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}

ECHELON_MPI_NAME MPI_Scatter_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                               MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon::scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
}

ECHELON_MPI_NAME MPI_Allgather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                 MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    return echelon::allgather(in, in_count, in_type, out, out_count, out_type, comm);
}

ECHELON_MPI_NAME MPI_Alltoall_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    return echelon::alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}

ECHELON_MPI_NAME MPI_Reduce_scatter_c(const void* in, void* out, const MPI_Count counts[], MPI_Datatype type,
                                      MPI_Op op, MPI_Comm comm) {
    return echelon::reduce_scatter(in, out, counts, type, op, comm);
}

ECHELON_MPI_NAME MPI_Reduce_scatter_block_c(const void* in, void* out, MPI_Count count, MPI_Datatype type,
                                            MPI_Op op, MPI_Comm comm) {
    return echelon::reduce_scatter_block(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Scan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
    return echelon::scan(in, out, count, type, op, comm);
}

ECHELON_MPI_NAME MPI_Exscan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm) {
    return echelon::exscan(in, out, count, type, op, comm);
}
#endif
