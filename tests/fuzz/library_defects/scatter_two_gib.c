/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a scatter of 2 GiB together at a root other than 0 crashes: the bytes are counted in
   an int. The program allocates this memory but writes no page of it before the crash. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { each = 1 << 30, root = 1 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char* const in = rank == root ? malloc(2 * (size_t)each) : NULL;
    char* const out = malloc(each);
    if (out == NULL || (rank == root && in == NULL)) {
        printf("rank %d: there is no memory\n", rank);
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const int code = MPI_Scatter(in, each, MPI_BYTE, out, each, MPI_BYTE, root, MPI_COMM_WORLD);
    printf("rank %d: %s\n", rank, code == MPI_SUCCESS ? "success" : "an error");
    MPI_Finalize();
    return code != MPI_SUCCESS;
}
