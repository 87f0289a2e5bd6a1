/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: a message to oneself of more than 8 KB into a type whose basic types lie across the borders of its fragments is said
   to be truncated, and is not received as a whole. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 2000, extent = 16, packed = 9 }; /* a byte, a gap of seven, a double */

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype parts[2] = {MPI_BYTE, MPI_DOUBLE};
    MPI_Datatype type;
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    char* in = malloc(n * packed);
    char* out = calloc(n, extent);
    for (int i = 0; i < n * packed; ++i) in[i] = (char)(i % 113 + 1);
    const int code = MPI_Sendrecv(in, n * packed, MPI_PACKED, rank, 0, out, n, type, rank, 0, MPI_COMM_WORLD,
                                  MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
        wrong +=
            out[extent * i] != in[packed * i] || memcmp(out + extent * i + 8, in + packed * i + 1, 8) != 0;
    printf("rank %d: %s, %d elements wrong\n", rank, code == MPI_SUCCESS ? "success" : "an error", wrong);
    MPI_Finalize();
    return wrong != 0;
}
