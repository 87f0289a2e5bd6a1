// SPDX-License-Identifier: Apache-2.0
#include "api/errors.hpp"
#include "api/front_door.hpp"

#include <echelon/echelon.hpp>

namespace echelon {

int allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return guarded(comm, [&] { return front_allreduce(in, out, count, type, op, comm); });
}

int reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm) {
    return guarded(comm, [&] { return front_reduce(in, out, count, type, op, root, comm); });
}

int bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return guarded(comm, [&] { return front_bcast(data, count, type, root, comm); });
}

int barrier(MPI_Comm comm) {
    return guarded(comm, [&] { return front_barrier(comm); });
}

int gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
           MPI_Datatype out_type, int root, MPI_Comm comm) {
    return guarded(comm,
                   [&] { return front_gather(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
            MPI_Datatype out_type, int root, MPI_Comm comm) {
    return guarded(
        comm, [&] { return front_scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
              MPI_Datatype out_type, MPI_Comm comm) {
    return guarded(comm,
                   [&] { return front_allgather(in, in_count, in_type, out, out_count, out_type, comm); });
}

int alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
             MPI_Datatype out_type, MPI_Comm comm) {
    return guarded(comm,
                   [&] { return front_alltoall(in, in_count, in_type, out, out_count, out_type, comm); });
}

int reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    return guarded(comm, [&] { return front_reduce_scatter(in, out, counts, type, op, comm); });
}

int reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    return guarded(comm, [&] { return front_reduce_scatter(in, out, counts, type, op, comm); });
}

int reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
    return guarded(comm, [&] { return front_reduce_scatter_block(in, out, count, type, op, comm); });
}

int scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return guarded(comm, [&] { return front_scan(in, out, count, type, op, comm); });
}

int exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return guarded(comm, [&] { return front_exscan(in, out, count, type, op, comm); });
}

}  // namespace echelon
