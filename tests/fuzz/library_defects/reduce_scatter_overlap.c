/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a long reduce_scatter in place of an operation that commutes crashes on a rank whose
   block is longer than all preceding ones: the result is copied to the front of the buffer, onto itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int counts[2] = {1000, 200000}, n = 201000;
    int* data = malloc((size_t)n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i + rank;
    MPI_Reduce_scatter(MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; ++i) wrong += data[i] != 2 * (i + rank * counts[0]) + 1;
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong != 0;
}
