// SPDX-License-Identifier: Apache-2.0
#include "mpi/patient_calls.hpp"

#include "mpi/check.hpp"
#include "mpi/quirks.hpp"
#include "shm/machinery.hpp"

namespace echelon {

void wait_patiently(MPI_Request& request) {
    if constexpr (!quirks::spins_while_it_waits) {
        check(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        return;
    }
    for (int arrived = 0;;) {
        check(PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
        if (arrived != 0) return;
        Machinery::yield();
    }
}

void allreduce_patiently(void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if constexpr (!quirks::spins_while_it_waits) {
        check(PMPI_Allreduce(MPI_IN_PLACE, data, count, type, op, comm), "MPI_Allreduce");
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, comm, &request), "MPI_Iallreduce");
    wait_patiently(request);
}

void allgather_patiently(const void* own, void* all, int bytes, MPI_Comm comm) {
    if constexpr (!quirks::spins_while_it_waits) {
        check(PMPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm), "MPI_Allgather");
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Iallgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm, &request), "MPI_Iallgather");
    wait_patiently(request);
}

}  // namespace echelon
