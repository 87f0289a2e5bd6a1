/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 6 ranks: a rank in the middle of a gather's tree allocates memory for the elements of all
   ranks with the gaps of its own send type, here a tebibyte. The allocation fails, the rank returns an error,
   and the root hangs. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, give[8] = {0}, take[8 * 6];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Datatype eight, wide;
    MPI_Type_contiguous(8, MPI_INT, &eight);
    MPI_Type_create_resized(eight, 0, (MPI_Aint)1 << 40, &wide);
    MPI_Type_commit(&wide);
    const int middle = rank % 2 == 0 && rank > 0;
    const int code =
        MPI_Gather(give, middle ? 1 : 8, middle ? wide : MPI_INT, take, 8, MPI_INT, 0, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) printf("rank %d of %d has an error\n", rank, ranks);
    MPI_Type_free(&wide);
    MPI_Type_free(&eight);
    MPI_Finalize();
    return code != MPI_SUCCESS;
}
