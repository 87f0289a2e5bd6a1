/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and columns of a grid with only rooted collectives and scans, like in matrix products; on 4 ranks.
   No call synchronises here except for the creation of communicators. */
#include <mpi.h>
#include <stdio.h>

static int wrong;

static void use(MPI_Comm comm) {
    int rank, p;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int root = 0; root < p; ++root) {
        double data[100], sums[100];
        for (int i = 0; i < 100; ++i) data[i] = rank == root ? i : -1;
        MPI_Bcast(data, 100, MPI_DOUBLE, root, comm);
        for (int i = 0; i < 100; ++i) wrong += data[i] != i;
        MPI_Reduce(data, sums, 100, MPI_DOUBLE, MPI_SUM, root, comm);
        for (int i = 0; rank == root && i < 100; ++i) wrong += sums[i] != p * i;
        MPI_Scan(data, sums, 100, MPI_DOUBLE, MPI_SUM, comm);
        for (int i = 0; i < 100; ++i) wrong += sums[i] != (rank + 1) * i;
    }
}

int main(int argc, char** argv) {
    int rank, sizes[2] = {2, 2}, periods[2] = {0, 0}, rows[2] = {0, 1}, columns[2] = {1, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm copy, split, grid, row, column;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(copy, rank == 3, -rank, &split);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 1, &grid);
    MPI_Cart_sub(grid, rows, &row);
    MPI_Cart_sub(grid, columns, &column);
    MPI_Comm all[] = {MPI_COMM_WORLD, copy, split, grid, row, column};
    for (int i = 0; i < 6; ++i) use(all[i]);
    int sum = 0;
    PMPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", sum);
    MPI_Finalize();
    return 0;
}
