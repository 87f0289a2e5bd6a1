// SPDX-License-Identifier: Apache-2.0
#include "api/native_call.hpp"

#include "mpi/next.hpp"

#include <limits>

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

}  // namespace echelon
