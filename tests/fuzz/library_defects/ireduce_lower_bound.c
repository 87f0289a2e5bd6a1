/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 4 ranks: a nonblocking reduce with an element for each rank writes beyond its buffers, if
   the data of the type do not begin at 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 8, place = 1 << 24 };

static void sum(void* in, void* out, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((int*)((char*)out + place))[i] += ((int*)((char*)in + place))[i];
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Aint at = place;
    MPI_Datatype moved, type;
    MPI_Op op;
    MPI_Request request;
    MPI_Type_create_hindexed_block(1, 1, &at, MPI_INT, &moved);
    MPI_Type_create_resized(moved, 0, sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Op_create(sum, 1, &op);
    char* in = calloc(place + count * sizeof(int), 1);
    char* out = calloc(place + count * sizeof(int), 1);
    MPI_Ireduce(in, out, count, type, op, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    puts("reduced");
    MPI_Op_free(&op);
    MPI_Type_free(&moved);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
