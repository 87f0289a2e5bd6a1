/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 4 ranks: a gather of more than 8 KB of MPI_C_LONG_DOUBLE_COMPLEX reports a truncated message
   at a root if blocks that arrive in one message wrap around, from the last to the first. MPI_LONG_DOUBLE is
   received completely. */
#include <complex.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 370, root = 1 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank, p, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    long double complex* in = malloc(n * sizeof *in);
    long double complex* out = calloc((size_t)(n * p), sizeof *out);
    for (int i = 0; i < n; ++i) in[i] = n * rank + i + 1;
    const int code =
        MPI_Gather(in, n, MPI_C_LONG_DOUBLE_COMPLEX, out, n, MPI_C_LONG_DOUBLE_COMPLEX, root, MPI_COMM_WORLD);
    for (int i = 0; i < n * p && rank == root; ++i) wrong += out[i] != i + 1;
    printf("rank %d: %s, %d wrong\n", rank, code == MPI_SUCCESS ? "success" : "an error", wrong);
    MPI_Finalize();
    return wrong != 0;
}
