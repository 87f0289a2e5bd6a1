/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a reduce of a long vector in place at a root other than 0 crashes: MPI_IN_PLACE is
 * read as an address. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, p, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int n = 1; n < 200000; n = 3 * n + 1) {
        int* data = malloc((size_t)n * sizeof(int));
        for (int i = 0; i < n; ++i) data[i] = i + rank;
        MPI_Reduce(rank == 1 ? MPI_IN_PLACE : data, data, n, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
        if (rank == 1)
            for (int i = 0; i < n; ++i) wrong += data[i] != p * i + p * (p - 1) / 2;
        free(data);
    }
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong != 0;
}
