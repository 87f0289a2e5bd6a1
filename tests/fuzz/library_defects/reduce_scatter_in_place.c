/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 3 ranks: a long reduce_scatter_block in place of an operation that commutes leaves its result
   in the rank's own block as well, behind the result. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, p, changed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int n = 64000;
    int* data = malloc((size_t)(n * p) * sizeof(int));
    for (int i = 0; i < n * p; ++i) data[i] = 100000 * rank + i;
    MPI_Reduce_scatter_block(MPI_IN_PLACE, data, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = n; i < n * p; ++i) changed += data[i] != 100000 * rank + i;
    printf("rank %d: %d changed behind the result\n", rank, changed);
    MPI_Finalize();
    return changed != 0;
}
