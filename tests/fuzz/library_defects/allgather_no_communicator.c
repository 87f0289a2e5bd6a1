/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 1 rank: an allgather on MPI_COMM_NULL crashes; other collectives return MPI_ERR_COMM. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int in = 1, out = 0, class_of = 0;
    MPI_Error_class(MPI_Bcast(&in, 1, MPI_INT, 0, MPI_COMM_NULL), &class_of);
    printf("bcast: %s\n", class_of == MPI_ERR_COMM ? "right" : "wrong");
    fflush(stdout);
    MPI_Error_class(MPI_Allgather(&in, 1, MPI_INT, &out, 1, MPI_INT, MPI_COMM_NULL), &class_of);
    printf("allgather: %s\n", class_of == MPI_ERR_COMM ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
