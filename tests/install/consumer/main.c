/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the installed C header: a sum over all ranks by a forced recipe. */
#include <echelon/echelon.h>

#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    char recipe[64] = "";
    echelon_force(MPI_COMM_WORLD, "allreduce", "ring", 0, ECHELON_NO_LIMIT, 1);
    echelon_would_run(MPI_COMM_WORLD, "allreduce", sizeof(int), recipe, sizeof recipe);
    const int mine = rank + 1;
    int sum = 0;
    echelon_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const int right = sum == size * (size + 1) / 2;
    if (rank == 0)
        printf("echelon %s: %s gives the %s sum\n", echelon_version(), recipe, right ? "right" : "wrong");
    MPI_Finalize();
    return right ? 0 : 1;
}
