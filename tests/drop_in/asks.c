/* SPDX-License-Identifier: Apache-2.0 */
/* Broadcasts, and asks the library in front of MPI which recipe serves them: prints its answer. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    typedef int would_run(MPI_Comm, const char* collective, size_t bytes, char* recipe, size_t length);
    enum { count = 128, calls = 40 };
    static double data[count];
    char recipe[200] = "nothing";
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < calls; ++i) MPI_Bcast(data, count, MPI_DOUBLE, i % 2, MPI_COMM_WORLD);
    would_run* const ask = (would_run*)dlsym(RTLD_DEFAULT, "echelon_would_run");
    if (ask != NULL) ask(MPI_COMM_WORLD, "bcast", sizeof data, recipe, sizeof recipe);
    if (rank == 0) puts(recipe);
    MPI_Finalize();
    return ask == NULL;
}
