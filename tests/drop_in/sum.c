/* SPDX-License-Identifier: Apache-2.0 */
/* One sum over all ranks; the second argument is the exit code. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int one = 1, sum = 0, rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const char* const groups = getenv("ECHELON_GROUPS");
    if (rank == 0)
        printf("sum %d, ECHELON_GROUPS=%s, argument %s\n", sum, groups ? groups : "",
               argc > 1 ? argv[1] : "");
    MPI_Finalize();
    return argc > 2 ? atoi(argv[2]) : 0;
}
