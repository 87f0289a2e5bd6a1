/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 2 ranks: an allgather of a power of two of ranks whose blocks lie more than 2 GiB apart
   misplaces them, or crashes: a block's place is kept in an int. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>

enum { n = 2 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, p, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const MPI_Aint apart = ((MPI_Aint)2 << 30) + 4096;
    MPI_Datatype wide;
    MPI_Type_create_resized(MPI_INT, 0, apart, &wide);
    MPI_Type_commit(&wide);
    char* out = mmap(NULL, (size_t)(apart * n * p), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (out == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 2);
    int in[n];
    for (int i = 0; i < n; ++i) in[i] = n * rank + i + 1;
    MPI_Allgather(in, n, MPI_INT, out, n, wide, MPI_COMM_WORLD);
    for (int i = 0; i < n * p; ++i) wrong += *(int*)(out + i * apart) != i + 1;
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong != 0;
}
