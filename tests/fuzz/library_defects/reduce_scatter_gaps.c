/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: reduce_scatter_block of an operation that does not commute, on elements with gaps
   between them, allocates too little temporary memory and crashes: it counts without the gaps. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ints = 8 }; /* an int and a gap of seven */

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)inout)[ints * i] += ((int*)in)[ints * i];
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, p, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Op op;
    MPI_Op_create(add, 0, &op);
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_INT, 0, ints * sizeof(int), &type);
    MPI_Type_commit(&type);
    const int n = 100;
    int* in = calloc((size_t)(n * p * ints), sizeof(int));
    int* out = calloc((size_t)(n * ints), sizeof(int));
    for (int i = 0; i < n * p; ++i) in[ints * i] = i + rank;
    for (int k = 0; k < 100; ++k) MPI_Reduce_scatter_block(in, out, n, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) wrong += out[ints * i] != p * (rank * n + i) + p * (p - 1) / 2;
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong != 0;
}
