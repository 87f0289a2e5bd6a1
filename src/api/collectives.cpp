// SPDX-License-Identifier: Apache-2.0
#include "api/errors.hpp"
#include "api/front_door.hpp"
#include "api/native_call.hpp"

#include <echelon/echelon.hpp>

namespace echelon {
namespace {

/// Nothing is left to be looked at: this is all that most calls take of us.
bool stays_native(Collective collective, MPI_Comm comm) {
    const State* const state = Recent::find(comm);
    return state != nullptr && state->always_native(collective);
}

}  // namespace

int allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    // Negative counts and missing buffers, with which libraries crash, are looked at there.
    if (count > 0 && in != nullptr && out != nullptr && stays_native(Collective::allreduce, comm))
        return native_allreduce(in, out, count, type, op, comm);
    return guarded(comm, [&] { return front_allreduce(in, out, count, type, op, comm); });
}

int reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm) {
    if (stays_native(Collective::reduce, comm)) return native_reduce(in, out, count, type, op, root, comm);
    return guarded(comm, [&] { return front_reduce(in, out, count, type, op, root, comm); });
}

int bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (stays_native(Collective::bcast, comm)) return native_bcast(data, count, type, root, comm);
    return guarded(comm, [&] { return front_bcast(data, count, type, root, comm); });
}

int barrier(MPI_Comm comm) {
    if (stays_native(Collective::barrier, comm)) return native_barrier(comm);
    return guarded(comm, [&] { return front_barrier(comm); });
}

int gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
           MPI_Datatype out_type, int root, MPI_Comm comm) {
    if (stays_native(Collective::gather, comm))
        return native_gather(in, in_count, in_type, out, out_count, out_type, root, comm);
    return guarded(comm,
                   [&] { return front_gather(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
            MPI_Datatype out_type, int root, MPI_Comm comm) {
    if (stays_native(Collective::scatter, comm))
        return native_scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
    return guarded(
        comm, [&] { return front_scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
              MPI_Datatype out_type, MPI_Comm comm) {
    if (stays_native(Collective::allgather, comm))
        return native_allgather(in, in_count, in_type, out, out_count, out_type, comm);
    return guarded(comm,
                   [&] { return front_allgather(in, in_count, in_type, out, out_count, out_type, comm); });
}

int alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
             MPI_Datatype out_type, MPI_Comm comm) {
    if (stays_native(Collective::alltoall, comm))
        return native_alltoall(in, in_count, in_type, out, out_count, out_type, comm);
    return guarded(comm,
                   [&] { return front_alltoall(in, in_count, in_type, out, out_count, out_type, comm); });
}

int reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    if (stays_native(Collective::reduce_scatter, comm))
        return native_reduce_scatter(in, out, counts, type, op, comm);
    return guarded(comm, [&] { return front_reduce_scatter(in, out, counts, type, op, comm); });
}

int reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    if (stays_native(Collective::reduce_scatter, comm))
        return native_reduce_scatter(in, out, counts, type, op, comm);
    return guarded(comm, [&] { return front_reduce_scatter(in, out, counts, type, op, comm); });
}

int reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
    if (stays_native(Collective::reduce_scatter, comm))
        return native_reduce_scatter_block(in, out, count, type, op, comm);
    return guarded(comm, [&] { return front_reduce_scatter_block(in, out, count, type, op, comm); });
}

int scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (stays_native(Collective::scan, comm)) return native_scan(in, out, count, type, op, comm);
    return guarded(comm, [&] { return front_scan(in, out, count, type, op, comm); });
}

int exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (stays_native(Collective::exscan, comm)) return native_exscan(in, out, count, type, op, comm);
    return guarded(comm, [&] { return front_exscan(in, out, count, type, op, comm); });
}

}  // namespace echelon
