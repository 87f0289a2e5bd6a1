/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 4 ranks: a gather by a tree keeps forwarded data in the send type of the intermediate rank.
   If that type names a byte twice, which is legal for send types, data of others is lost. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, wrong = 0, out[8] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype twice;
    MPI_Type_create_indexed_block(2, 1, (int[]){0, 0}, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    const int in[2] = {10 * rank + 1, 10 * rank + 2};
    if (rank == 2)
        MPI_Gather(in, 1, twice, out, 2, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(in, 2, MPI_INT, out, 2, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 8 && rank == 0; ++i) wrong += out[i] != (i / 2 == 2 ? 21 : 10 * (i / 2) + i % 2 + 1);
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Type_free(&twice);
    MPI_Finalize();
    return wrong != 0;
}
