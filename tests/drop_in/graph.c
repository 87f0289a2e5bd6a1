/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators with a graph, made of MPI_COMM_WORLD after collectives on it. Open MPI 4.1 hangs if the
   eighth and ninth communicator made of one parent have a graph: their messages' tags coincide. Here these
   two have none, hence one additional communicator made of MPI_COMM_WORLD makes this program hang. */
#include <mpi.h>

static void graph(int rank, int size) {
    int targets[64], weights[64];
    for (int i = 0; i < size; ++i) {
        targets[i] = (rank + i) % size;
        weights[i] = i + 1;
    }
    MPI_Comm made;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &size, targets, weights, MPI_INFO_NULL, 0, &made);
    int in = 0, out = 0, weighted = 0;
    MPI_Dist_graph_neighbors_count(made, &in, &out, &weighted);
    if (in != size || out != size) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&made);
}

int main(int argc, char** argv) {
    int rank = 0, size = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 30; ++i) {
        if (i == 7 || i == 8) {
            MPI_Comm plain;
            MPI_Comm_dup(MPI_COMM_WORLD, &plain);
            MPI_Comm_free(&plain);
        } else {
            graph(rank, size);
        }
    }
    MPI_Finalize();
    return 0;
}
