/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and broadcasts of 900 to 1100 bytes, down and up again. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = -200; i <= 200; ++i) {
        const int bytes = 900 + (i < 0 ? -i : i);
        unsigned char mine[1100], together[1100], told[1100], expected[1100];
        for (int k = 0; k < bytes; ++k) {
            mine[k] = (unsigned char)(7 * k + rank);
            told[k] = (unsigned char)(rank == 1 ? 11 * k : 0);
            expected[k] = 0;
            for (int r = 0; r < ranks; ++r) expected[k] ^= (unsigned char)(7 * k + r);
        }
        MPI_Allreduce(mine, together, bytes, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
        MPI_Bcast(told, bytes, MPI_BYTE, 1, MPI_COMM_WORLD);
        for (int k = 0; k < bytes; ++k)
            wrong += together[k] != expected[k] || told[k] != (unsigned char)(11 * k);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
