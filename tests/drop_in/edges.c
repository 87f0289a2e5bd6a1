/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and broadcasts of 900 to 1100 bytes, down and up again. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = -200; i <= 200; ++i) {
        const int bytes = 900 + (i < 0 ? -i : i);
        signed char mine[1100], sum[1100], told[1100];
        for (int k = 0; k < bytes; ++k)
            mine[k] = (signed char)(k % 7 + rank), told[k] = (signed char)(rank == 1 ? k % 11 : -1);
        MPI_Allreduce(mine, sum, bytes, MPI_INT8_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(told, bytes, MPI_INT8_T, 1, MPI_COMM_WORLD);
        for (int k = 0; k < bytes; ++k)
            wrong += sum[k] != (signed char)(ranks * (k % 7) + ranks * (ranks - 1) / 2) ||
                     told[k] != (signed char)(k % 11);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
