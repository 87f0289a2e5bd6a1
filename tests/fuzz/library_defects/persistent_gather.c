/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a persistent gather lacks the blocks of other ranks, and a scatter that is started
   again gets data of the first start. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int wrong = 0;
#if MPI_VERSION >= 4
    int rank = 0, give[2], all[2], own;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[2];
    MPI_Gather_init(give, 1, MPI_INT, all, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Scatter_init(give, 1, MPI_INT, &own, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int start = 0; start < 2; ++start) {
        give[0] = give[1] = 10 * rank + start;
        all[0] = all[1] = own = -1;
        for (int i = 0; i < 2; ++i) {
            MPI_Start(&requests[i]);
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
        if (own != 10 + start || (rank == 1 && (all[0] != start || all[1] != 10 + start))) {
            printf("start %d, rank %d: gather %d %d, scatter %d\n", start, rank, all[0], all[1], own);
            wrong = 1;
        }
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#endif
    MPI_Finalize();
    return wrong;
}
