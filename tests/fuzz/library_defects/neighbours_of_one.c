/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 1 rank: a collective with the neighbours hangs if a rank alone is its own neighbour and a
   receive from anyone is posted: the receive takes the collective's message, like in alltoall_of_one.c. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int size = 1, periodic = 1, token = 5, in = 1;
    int arrived = 0, out[2] = {0};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_SELF, 1, &size, &periodic, 0, &ring);
    MPI_Request request, collective;
    MPI_Irecv(&arrived, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &request);
    MPI_Ineighbor_allgather(&in, 1, MPI_INT, out, 1, MPI_INT, ring, &collective);
    MPI_Send(&token, 1, MPI_INT, 0, 3, ring);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&collective, MPI_STATUS_IGNORE);
    const int right = arrived == token && out[0] == 1 && out[1] == 1;
    puts(right ? "right" : "wrong");
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return !right;
}
