/* SPDX-License-Identifier: Apache-2.0 */
/* Ten times a short sum and a long one, no two of the same size: 8, 65544, 16, 65552, ... bytes. */
#include <mpi.h>

int main(int argc, char** argv) {
    static int mine[17000], sum[17000];
    MPI_Init(&argc, &argv);
    for (int round = 1; round <= 10; ++round) {
        MPI_Allreduce(mine, sum, 2 * round, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(mine, sum, 16384 + 2 * round, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
