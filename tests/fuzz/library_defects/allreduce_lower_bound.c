/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 2 ranks: an allreduce around a ring, on a type whose data begin elsewhere than at 0, writes
   outside of its temporary memory: the offset of the data is not subtracted. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 1500, ints = 4, before = 2 }; /* an int, 8 bytes before the element, and a gap of three */

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)inout)[ints * i - before] += ((int*)in)[ints * i - before];
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, p, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    MPI_Datatype early, type;
    MPI_Type_create_indexed_block(1, 1, (int[]){-before}, MPI_INT, &early);
    MPI_Type_create_resized(early, -before * (int)sizeof(int), ints * sizeof(int), &type);
    MPI_Type_commit(&type);
    int* in = (int*)calloc(n * ints + before, sizeof(int)) + before;
    int* out = (int*)calloc(n * ints + before, sizeof(int)) + before;
    for (int i = 0; i < n; ++i) in[ints * i - before] = i + rank;
    for (int k = 0; k < 20; ++k) MPI_Allreduce(in, out, n, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) wrong += out[ints * i - before] != p * i + p * (p - 1) / 2;
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong != 0;
}
