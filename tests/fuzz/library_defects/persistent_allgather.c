/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a persistent allgather of a power of two of ranks receives nothing after its second
   start. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int wrong = 0;
#if MPI_VERSION >= 4
    int rank = 0, all[2] = {-1, -1};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    MPI_Allgather_init(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int start = 0; start < 2; ++start) {
        all[0] = all[1] = -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (all[0] != 0 || all[1] != 1) {
            printf("start %d, rank %d: %d %d\n", start, rank, all[0], all[1]);
            wrong = 1;
        }
    }
    MPI_Request_free(&request);
#endif
    MPI_Finalize();
    return wrong;
}
