/* SPDX-License-Identifier: Apache-2.0 */
/* The program takes all of the library's communicators except for the number in the argument; then
   collectives run on some of them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 5000 };

int main(int argc, char** argv) {
    static MPI_Comm all[most];
    int rank, p, made = 0, wrong = 0;
    const int left = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (made < most && MPI_Comm_dup(MPI_COMM_WORLD, &all[made]) == MPI_SUCCESS) ++made;
    for (int i = 0; i < left; ++i) MPI_Comm_free(&all[--made]);
    for (int i = 0; i < 40; ++i) MPI_Comm_set_errhandler(all[i], MPI_ERRORS_ARE_FATAL);
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 40; ++i) {
            int sum = 0, told = rank == 1 ? 5 : 0;
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all[i]);
            MPI_Bcast(&told, 1, MPI_INT, 1, all[i]);
            wrong += sum != p * (p - 1) / 2 || told != 5;
        }
    if (rank == 0) printf("%d wrong, %s\n", wrong, made > 1000 ? "many" : "few");
    MPI_Finalize();
    return 0;
}
