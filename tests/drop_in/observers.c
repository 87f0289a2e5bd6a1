/* SPDX-License-Identifier: Apache-2.0 */
/* observers RANK: Echelon counts the calls of that rank, -1: of all. Sums and barriers in turn; prints the
   number of wrong results. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 600, count = 20000 };
static double in[count], out[count];

int main(int argc, char** argv) {
    const char* const own = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
    const int observer = argc > 1 ? atoi(argv[1]) : -1;
    if (observer >= 0 && own && atoi(own) != observer) unsetenv("ECHELON_SUMMARY");
    int rank, size, wrong = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < count; ++i) in[i] = 1;
    for (int round = 0; round < rounds; ++round) {
        MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        wrong += out[round] != size;
        for (int i = 0; i < 1 + (round % 3 == 0); ++i) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", all);
    MPI_Finalize();
    return 0;
}
