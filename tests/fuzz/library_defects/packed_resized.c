/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 1 rank: a rank that copies its own block treats types made from MPI_PACKED like MPI_PACKED
   itself, without their gaps. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype send, receive;
    MPI_Type_create_resized(MPI_BYTE, 0, 2, &send);
    MPI_Type_create_resized(MPI_PACKED, 0, 2, &receive);
    MPI_Type_commit(&send);
    MPI_Type_commit(&receive);
    const char in[] = "a.b.";
    char out[] = "----";
    MPI_Allgather(in, 2, send, out, 2, receive, MPI_COMM_SELF);
    const int right = out[0] == 'a' && out[1] == '-' && out[2] == 'b' && out[3] == '-';
    printf("\"%s\": %s\n", out, right ? "right" : "wrong");
    MPI_Type_free(&send);
    MPI_Type_free(&receive);
    MPI_Finalize();
    return !right;
}
