/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 2 ranks: a message in fragments, received into a type with gaps, overwrites memory if an
   element of more than 16 bytes crosses two fragments. */
#include <mpi.h>
#include <stdlib.h>

enum { elements = 1000 };

static MPI_Datatype of_complex_and_int(MPI_Aint place) {
    MPI_Datatype made;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, place},
                           (MPI_Datatype[]){MPI_C_LONG_DOUBLE_COMPLEX, MPI_INT}, &made);
    MPI_Type_commit(&made);
    return made;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype together = of_complex_and_int(32), apart = of_complex_and_int(40);
    void* const data = calloc(elements, 64);
    if (rank == 0) MPI_Send(data, elements, together, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, elements, apart, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(data);
    MPI_Type_free(&together);
    MPI_Type_free(&apart);
    MPI_Finalize();
    return 0;
}
