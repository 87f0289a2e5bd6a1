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

}  // namespace echelon
