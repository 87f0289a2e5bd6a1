/* SPDX-License-Identifier: Apache-2.0 */
/* A typical profiling tool beside Echelon: counts calls by MPI's own interface for tools, and prints them on
   rank 0 at the end. */
#include <mpi.h>
#include <stdio.h>

static long allreduces, barriers, sends;

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++allreduces;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm) {
    ++barriers;
    return PMPI_Barrier(comm);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    ++sends;
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++sends;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Finalize(void) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("tool: %ld allreduces, %ld barriers, %ld sends\n", allreduces, barriers, sends);
    return PMPI_Finalize();
}
