/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 3 ranks: an allgatherv of long blocks ends with an error, or hangs, if the receive types of
   the ranks have one signature and different extents: the pieces in which blocks travel around the ring are
   counted by the extent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 40000, gap = 16 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype wide;
    MPI_Type_create_resized(MPI_DOUBLE, 0, gap * sizeof(double), &wide);
    MPI_Type_commit(&wide);
    int* counts = malloc(sizeof(int) * ranks);
    int* places = malloc(sizeof(int) * ranks);
    for (int i = 0; i < ranks; ++i) {
        counts[i] = n;
        places[i] = n * i;
    }
    double* in = calloc(n, sizeof(double));
    double* out = calloc((size_t)n * ranks * gap, sizeof(double));
    MPI_Allgatherv(in, n, MPI_DOUBLE, out, counts, places, rank == 0 ? wide : MPI_DOUBLE, MPI_COMM_WORLD);
    printf("rank %d is through\n", rank);
    MPI_Finalize();
    return 0;
}
