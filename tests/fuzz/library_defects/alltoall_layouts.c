/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 16 ranks: a short alltoall on a rank whose send and receive types have one signature and
   different layouts gives wrong data. */
#include <mpi.h>
#include <stdio.h>

enum { ranks = 16 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, wrong = 0, in[ranks], out[2 * ranks] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype apart;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
    MPI_Type_commit(&apart);
    for (int i = 0; i < ranks; ++i) in[i] = 100 * rank + i;
    const int step = rank == 5 ? 2 : 1;
    MPI_Alltoall(in, 1, MPI_INT, out, 1, step == 2 ? apart : MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) wrong += out[step * i] != 100 * i + rank;
    if (wrong > 0) printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Type_free(&apart);
    MPI_Finalize();
    return wrong != 0;
}
