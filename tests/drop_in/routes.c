/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and halves of MPI_COMM_WORLD, more than a budget has communicators for; bcasts and reduces, then
   sums, then both again. Prints the number of wrong results. */
#include <mpi.h>
#include <stdio.h>

static int wrong;

static void with_roots(MPI_Comm comm) {
    int rank, p;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int root = 0; root < p; ++root) {
        int data[50], sums[50];
        for (int i = 0; i < 50; ++i) data[i] = rank == root ? i + root : -1;
        MPI_Bcast(data, 50, MPI_INT, root, comm);
        for (int i = 0; i < 50; ++i) wrong += data[i] != i + root;
        MPI_Reduce(data, sums, 50, MPI_INT, MPI_SUM, root, comm);
        for (int i = 0; rank == root && i < 50; ++i) wrong += sums[i] != p * (i + root);
    }
}

int main(int argc, char** argv) {
    MPI_Comm made[10];
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; ++i) {
        if (i % 2 == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &made[i]);
        else
            MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made[i]);
        with_roots(made[i]);
    }
    for (int i = 0; i < 10; ++i) {
        for (int times = 0; times < 3; ++times) {
            int one = 1, sum = 0;
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made[i]);
            MPI_Comm_size(made[i], &p);
            wrong += sum != p;
        }
        with_roots(made[i]);
    }
    for (int i = 0; i < 10; ++i) MPI_Comm_free(&made[i]);
    int sum = 0;
    PMPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", sum);
    MPI_Finalize();
    return 0;
}
