/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 1 rank: an alltoall waits for ever where a receive from anyone is posted on the same communicator of one rank. With an
   argument the receive names its source and tag: all is well. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int named = argc > 1;
    int arrived = 0, token = 5, in[4] = {1, 2, 3, 4}, out[4] = {0};
    MPI_Request request;
    MPI_Irecv(&arrived, 1, MPI_INT, named ? 0 : MPI_ANY_SOURCE, named ? 3 : MPI_ANY_TAG, MPI_COMM_SELF,
              &request);
    MPI_Alltoall(in, 4, MPI_INT, out, 4, MPI_INT, MPI_COMM_SELF);
    MPI_Send(&token, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    puts(arrived == token && out[3] == 4 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
