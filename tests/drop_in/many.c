/* SPDX-License-Identifier: Apache-2.0 */
/* Four collectives, repeated as often as the first argument says: prints the number of wrong results, or
   "right". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, ranks, wrong = 0, all_wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int* const from_all = malloc((size_t)ranks * sizeof *from_all);
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < times; ++i) {
        int mine = i + rank, sum = 0, told = rank == i % ranks ? i : -1;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(&told, 1, MPI_INT, i % ranks, MPI_COMM_WORLD);
        MPI_Allgather(&mine, 1, MPI_INT, from_all, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        wrong += sum != ranks * i + ranks * (ranks - 1) / 2 || told != i;
        for (int other = 0; other < ranks; ++other) wrong += from_all[other] != i + other;
    }
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all_wrong == 0) printf("right\n");
    if (rank == 0 && all_wrong != 0) printf("%d wrong\n", all_wrong);
    free(from_all);
    MPI_Finalize();
    return 0;
}
