/* SPDX-License-Identifier: Apache-2.0 */
/* One sum; rank 0 prints its own start, and that of a child. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int one = 1, sum = 0, rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("sum %d\n", sum);
        for (int i = 1; i < argc; ++i) printf("word '%s'\n", argv[i]);
        FILE* const name = fopen("/proc/self/comm", "r");
        char text[64] = "";
        if (name == NULL || fgets(text, sizeof text, name) == NULL) return 1;
        printf("name %sstarted as %s\n", text, program_invocation_short_name);
        fflush(stdout);
        if (system("echo \"child $LD_PRELOAD\"; env | grep -c BEGUN_AGAIN") < 0) return 1;
    }
    MPI_Finalize();
    return 0;
}
