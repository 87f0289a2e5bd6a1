// SPDX-License-Identifier: Apache-2.0
// Uses the installed C++ headers: a sum over all ranks by a forced recipe.
#include <echelon/echelon.hpp>

#include <mpi.h>
#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    echelon::Tuning tuning(MPI_COMM_WORLD);
    tuning.force("allreduce", "ring");
    const int mine = rank + 1;
    int sum = 0;
    echelon::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const bool right = sum == size * (size + 1) / 2;
    if (rank == 0)
        std::printf("echelon %s: %s gives the %s sum\n", echelon_version(),
                    tuning.would_run("allreduce", sizeof(int)).recipe.c_str(), right ? "right" : "wrong");
    MPI_Finalize();
    return right ? 0 : 1;
}
