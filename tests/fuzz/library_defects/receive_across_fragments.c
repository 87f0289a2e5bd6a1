/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a packed message of more than 8 KB into a type with gaps, derived or predefined,
   whose basic types cross the borders of its fragments is reported as truncated, and is not received
   completely. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 2000 };

/* An element is `length` bytes, a gap, and `behind` more bytes. */
static int wrong_elements(MPI_Datatype type, int length, int behind) {
    int packed, wrong = 0, rank;
    MPI_Aint lower, extent;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_size(type, &packed);
    MPI_Type_get_extent(type, &lower, &extent);
    char* in = malloc((size_t)(n * packed));
    char* out = calloc(n, (size_t)extent);
    for (int i = 0; i < n * packed; ++i) in[i] = (char)(i % 113 + 1);
    const int code = MPI_Sendrecv(in, n * packed, MPI_PACKED, rank, 0, out, n, type, rank, 0, MPI_COMM_WORLD,
                                  MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
        wrong += memcmp(out + extent * i, in + packed * i, (size_t)length) != 0 ||
                 memcmp(out + extent * i + behind, in + packed * i + length, (size_t)(packed - length)) != 0;
    printf("rank %d: %s, %d elements wrong\n", rank, code == MPI_SUCCESS ? "success" : "an error", wrong);
    free(in);
    free(out);
    return wrong;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Datatype byte_and_double;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_BYTE, MPI_DOUBLE},
                           &byte_and_double);
    MPI_Type_commit(&byte_and_double);
    const int derived = wrong_elements(byte_and_double, 1, 8),
              predefined = wrong_elements(MPI_SHORT_INT, 2, 4);
    MPI_Type_free(&byte_and_double);
    MPI_Finalize();
    return derived != 0 && predefined != 0;
}
