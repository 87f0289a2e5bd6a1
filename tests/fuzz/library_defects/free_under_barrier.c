/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 5 ranks: freeing a communicator while a nonblocking barrier on it is under way, which MPI
   allows, crashes while the barrier continues. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1000; ++i) {
        MPI_Comm comm;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Ibarrier(comm, &request);
        MPI_Comm_free(&comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0) puts("1000 communicators freed");
    MPI_Finalize();
    return 0;
}
