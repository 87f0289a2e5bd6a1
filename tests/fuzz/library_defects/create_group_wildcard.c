/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 2 ranks: the messages of MPI_Comm_create_group arrive in a receive of the program from
   anyone with any tag. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, number = -1, arrived = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Request receive;
    if (rank == 0) {
        MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
        /* There is no sender yet. */
        for (const double begin = MPI_Wtime(); !arrived && MPI_Wtime() < begin + 2;)
            MPI_Test(&receive, &arrived, MPI_STATUS_IGNORE);
        printf("%s\n", arrived ? "wrong: a message arrived" : "right: nothing arrived");
    }
    if (arrived) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm made;
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 7, &made);
    if (rank == 1) MPI_Send(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (rank == 0) MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
