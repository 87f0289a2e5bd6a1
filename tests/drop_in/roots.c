/* SPDX-License-Identifier: Apache-2.0 */
/* Broadcasts from one root after the other, without any synchronization. */
#include <mpi.h>

int main(int argc, char** argv) {
    int ranks;
    double number = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 6000; ++i) MPI_Bcast(&number, 1, MPI_DOUBLE, i % ranks, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
