/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 1 rank: an alltoall, and an ialltoall, hangs if a receive from anyone is posted on this
   communicator of one rank. With the argument "named" the receive names its source and tag: the call
   succeeds. With "nonblocking" it is an ialltoall. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int named = argc > 1 && strcmp(argv[1], "named") == 0;
    const int nonblocking = argc > 1 && strcmp(argv[1], "nonblocking") == 0;
    int arrived = 0, token = 5, in[4] = {1, 2, 3, 4}, out[4] = {0};
    MPI_Request request, collective = MPI_REQUEST_NULL;
    MPI_Irecv(&arrived, 1, MPI_INT, named ? 0 : MPI_ANY_SOURCE, named ? 3 : MPI_ANY_TAG, MPI_COMM_SELF,
              &request);
    if (nonblocking)
        MPI_Ialltoall(in, 4, MPI_INT, out, 4, MPI_INT, MPI_COMM_SELF, &collective);
    else
        MPI_Alltoall(in, 4, MPI_INT, out, 4, MPI_INT, MPI_COMM_SELF);
    MPI_Send(&token, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&collective, MPI_STATUS_IGNORE);
    puts(arrived == token && out[3] == 4 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
