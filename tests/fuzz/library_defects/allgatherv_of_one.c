/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 1 rank: an allgatherv of one rank ignores the displacement of its block. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    const int mine = 7, count = 1, place = 2;
    int all[3] = {-1, -1, -1};
    MPI_Init(&argc, &argv);
    MPI_Allgatherv(&mine, 1, MPI_INT, all, &count, &place, MPI_INT, MPI_COMM_SELF);
    printf("%d %d %d\n", all[0], all[1], all[2]);
    MPI_Finalize();
    return all[0] != -1 || all[2] != 7;
}
