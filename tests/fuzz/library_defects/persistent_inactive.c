/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: MPI_Wait of a persistent collective that was not started, which returns at once by
   MPI, hangs. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    puts("the wait ended");
    MPI_Request_free(&request);
#endif
    MPI_Finalize();
    return 0;
}
