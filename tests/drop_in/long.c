/* SPDX-License-Identifier: Apache-2.0 */
/* Long vectors, repeated as often as the first argument says, over all ranks and over a copy of their
   communicator: prints "right" or the number of wrong results. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 1 << 17 };

static long wrong_sums(const double* sum, int i, int ranks) {
    long wrong = 0;
    for (int at = 0; at < count; at += 1021)
        wrong += sum[at] != (double)ranks * (at + i) + ranks * (ranks - 1) / 2;
    return wrong;
}

int main(int argc, char** argv) {
    int rank, ranks;
    long wrong = 0, all_wrong = 0;
    MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    double* const mine = malloc(count * sizeof *mine);
    double* const sum = malloc(count * sizeof *sum);
    for (int i = 0; i < times; ++i)
        for (int which = 0; which < 2; ++which) {
            for (int at = 0; at < count; ++at) mine[at] = at + i + rank;
            MPI_Allreduce(mine, sum, count, MPI_DOUBLE, MPI_SUM, comms[which]);
            wrong += wrong_sums(sum, i, ranks);
            for (int at = 0; at < count; ++at) sum[at] = 0;
            MPI_Reduce(mine, sum, count, MPI_DOUBLE, MPI_SUM, i % ranks, comms[which]);
            MPI_Bcast(sum, count, MPI_DOUBLE, i % ranks, comms[which]);
            wrong += wrong_sums(sum, i, ranks);
        }
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all_wrong == 0) printf("right\n");
    if (rank == 0 && all_wrong != 0) printf("%ld wrong\n", all_wrong);
    MPI_Comm_free(&comms[1]);
    free(mine);
    free(sum);
    MPI_Finalize();
    return 0;
}
