/* SPDX-License-Identifier: Apache-2.0 */
/* Twenty sums of 64 ints, before each of which rank 0 comes late; then a broadcast. With `abort` rank 1 ends
   the program in its middle. With `early` rank 0 leaves MPI before the others. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
    const char* const how = argc > 1 ? argv[1] : "";
    int mine[64] = {0}, sum[64], rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < 20; ++call) {
        if (rank == 0) usleep(2000);
        MPI_Allreduce(mine, sum, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Bcast(mine, 64, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(how, "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "abort") == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "early") == 0 && rank != 0) sleep(12);
    MPI_Finalize();
    return 0;
}
