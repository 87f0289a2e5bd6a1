// SPDX-License-Identifier: Apache-2.0
#include "front/native_call.hpp"

#include "mpi/comm.hpp"
#include "mpi/next.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace echelon {
namespace {

bool is_int(MPI_Count count) {
    return count >= std::numeric_limits<int>::min() && count <= std::numeric_limits<int>::max();
}

}  // namespace

#if MPI_VERSION >= 4 && !defined(ECHELON_SMPI)
#define ECHELON_LARGE(call) call
#else
#define ECHELON_LARGE(call) MPI_ERR_COUNT
#endif

int native_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm) {
    if (is_int(count)) return next.Allreduce(in, out, int(count), type, op, comm);
    return ECHELON_LARGE(next.Allreduce_c(in, out, count, type, op, comm));
}

int native_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm) {
    if (is_int(count)) return next.Reduce(in, out, int(count), type, op, root, comm);
    return ECHELON_LARGE(next.Reduce_c(in, out, count, type, op, root, comm));
}

int native_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (is_int(count)) return next.Bcast(data, int(count), type, root, comm);
    return ECHELON_LARGE(next.Bcast_c(data, count, type, root, comm));
}

int native_barrier(MPI_Comm comm) { return next.Barrier(comm); }

int native_gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm) {
    if (is_int(in_count) && is_int(out_count))
        return next.Gather(in, int(in_count), in_type, out, int(out_count), out_type, root, comm);
    return ECHELON_LARGE(next.Gather_c(in, in_count, in_type, out, out_count, out_type, root, comm));
}

int native_scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm) {
    if (is_int(in_count) && is_int(out_count))
        return next.Scatter(in, int(in_count), in_type, out, int(out_count), out_type, root, comm);
    return ECHELON_LARGE(next.Scatter_c(in, in_count, in_type, out, out_count, out_type, root, comm));
}

int native_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm) {
    if (is_int(in_count) && is_int(out_count))
        return next.Allgather(in, int(in_count), in_type, out, int(out_count), out_type, comm);
    return ECHELON_LARGE(next.Allgather_c(in, in_count, in_type, out, out_count, out_type, comm));
}

int native_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm) {
    if (is_int(in_count) && is_int(out_count))
        return next.Alltoall(in, int(in_count), in_type, out, int(out_count), out_type, comm);
    return ECHELON_LARGE(next.Alltoall_c(in, in_count, in_type, out, out_count, out_type, comm));
}

int native_reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return next.Reduce_scatter(in, out, counts, type, op, comm);
}

int native_reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    const std::vector<MPI_Count> all(counts, counts + size_of(comm));
    if (std::all_of(all.begin(), all.end(), is_int)) {
        const std::vector<int> ints(all.begin(), all.end());
        return next.Reduce_scatter(in, out, ints.data(), type, op, comm);
    }
    return ECHELON_LARGE(next.Reduce_scatter_c(in, out, counts, type, op, comm));
}

int native_reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm) {
    if (is_int(count)) return next.Reduce_scatter_block(in, out, int(count), type, op, comm);
    return ECHELON_LARGE(next.Reduce_scatter_block_c(in, out, count, type, op, comm));
}

int native_scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (is_int(count)) return next.Scan(in, out, int(count), type, op, comm);
    return ECHELON_LARGE(next.Scan_c(in, out, count, type, op, comm));
}

int native_exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (is_int(count)) return next.Exscan(in, out, int(count), type, op, comm);
    return ECHELON_LARGE(next.Exscan_c(in, out, count, type, op, comm));
}

}  // namespace echelon
