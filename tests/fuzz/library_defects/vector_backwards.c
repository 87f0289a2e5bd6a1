/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 1 rank: a vector whose blocks lie one byte apart, backwards, goes forwards: a stride of -1
   byte counts as none. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype backwards;
    MPI_Type_vector(3, 1, -1, MPI_CHAR, &backwards);
    MPI_Type_commit(&backwards);
    MPI_Aint lower, extent;
    MPI_Type_get_extent(backwards, &lower, &extent);
    const char in[] = "abcdef";
    char out[4] = "";
    int place = 0;
    MPI_Pack(in + 2, 1, backwards, out, 3, &place, MPI_COMM_WORLD);
    const int right = lower == -2 && extent == 3 && strcmp(out, "cba") == 0;
    printf("lower bound %d, extent %d, \"%s\": %s\n", (int)lower, (int)extent, out,
           right ? "right" : "wrong");
    MPI_Type_free(&backwards);
    MPI_Finalize();
    return !right;
}
