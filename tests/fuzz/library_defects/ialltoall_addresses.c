/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 2 ranks: nonblocking collectives take equal addresses of the two buffers for a call in
   place, although the types place the data elsewhere. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int data[4] = {0, 0, -1, -1}, place = 2, rank;
    MPI_Datatype shifted, taken;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    data[0] = data[1] = rank;
    MPI_Type_create_indexed_block(1, 1, &place, MPI_INT, &shifted);
    MPI_Type_create_resized(shifted, 0, sizeof(int), &taken);
    MPI_Type_commit(&taken);
    MPI_Ialltoall(data, 1, MPI_INT, data, 1, taken, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("rank %d received %d and %d, 0 and 1 were sent\n", rank, data[2], data[3]);
    MPI_Type_free(&shifted);
    MPI_Type_free(&taken);
    MPI_Finalize();
    return data[2] != 0 || data[3] != 1;
}
