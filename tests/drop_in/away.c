/* SPDX-License-Identifier: Apache-2.0 */
/* Adds 100 ints over all ranks; the last rank waits for the file that the argument names. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank, size, in[100], out[100], wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; ++i) in[i] = rank + i;
    MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* excludes one-time work */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        while (access(argv[1], F_OK) != 0) usleep(10000);
    MPI_Allreduce(in, out, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 100; ++i) wrong += out[i] != size * (size - 1) / 2 + size * i;
    printf("rank %d: %s\n", rank, wrong ? "wrong" : "right");
    MPI_Finalize();
    return wrong;
}
