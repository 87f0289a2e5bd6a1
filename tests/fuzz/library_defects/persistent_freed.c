/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 2 ranks: freeing the communicator and the datatype of a persistent collective before its
   start, which MPI allows, crashes. */
#include <mpi.h>
#include <stdio.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION == 4
#include <mpi-ext.h>
#define MPI_Bcast_init MPIX_Bcast_init
#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int data[64] = {0};
    MPI_Comm comm;
    MPI_Datatype fourth;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_vector(16, 1, 4, MPI_INT, &fourth);
    MPI_Type_commit(&fourth);
    MPI_Bcast_init(data, 1, fourth, 0, comm, MPI_INFO_NULL, &request);
    MPI_Type_free(&fourth);
    MPI_Comm_free(&comm);
    for (int start = 0; start < 3; ++start) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    puts("started");
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
