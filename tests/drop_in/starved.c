/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 has no memory left for a communicator: the call fails on this rank only, while the others are in it.
   It prints its error. */
#include <dlfcn.h>
#include <mpi.h>

#include "tell.h"

int PMPI_Comm_split(MPI_Comm parent, int color, int key, MPI_Comm* made) {
    int rank = 0;
    PMPI_Comm_rank(parent, &rank);
    if (rank == 1) return MPI_ERR_NO_MEM;
    int (*split)(MPI_Comm, int, int, MPI_Comm*) = NULL;
    *(void**)&split = dlsym(RTLD_NEXT, "PMPI_Comm_split");
    return split(parent, color, key, made);
}

int main(int argc, char** argv) {
    int rank = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int code = MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
    tell("rank %d: %s\n", rank, text);
    MPI_Abort(MPI_COMM_WORLD, 3);
    return 0;
}
