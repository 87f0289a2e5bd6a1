/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 2 ranks: a reduce_scatter in place of an operation that does not commute leaves the whole
   vector's result on rank 0, behind its own. */
#include <mpi.h>
#include <stdio.h>

enum { n = 4 };

static void second(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)in, (void)inout, (void)count, (void)type;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, wrong = 0, changed = 0, data[2 * n];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op op;
    MPI_Op_create(second, 0, &op);
    for (int i = 0; i < 2 * n; ++i) data[i] = 100 * rank + i;
    MPI_Reduce_scatter(MPI_IN_PLACE, data, (int[]){n, n}, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) {
        wrong += data[i] != 100 + n * rank + i;
        changed += data[n + i] != 100 * rank + n + i;
    }
    printf("rank %d: %d wrong, %d changed behind the result\n", rank, wrong, changed);
    MPI_Op_free(&op);
    MPI_Finalize();
    return wrong + changed != 0;
}
