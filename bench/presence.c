/* SPDX-License-Identifier: Apache-2.0 */
/* Overhead of a library in front of the MPI library: MPI_Allreduce of 8 bytes, which passes through that
   library, and PMPI_Allreduce, which does not, in turns within one process. Without a library in front both
   are equal, and the result is the noise. scripts/presence starts it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int allreduce_function(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);

/* Nanoseconds per call. It is not inlined, because scripts/presence counts its instructions. */
__attribute__((noinline)) double batch(allreduce_function* allreduce, long calls) {
    double in = 1, out = 0;
    const double start = MPI_Wtime();
    for (long i = 0; i < calls; ++i) allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return (MPI_Wtime() - start) / (double)calls * 1e9;
}

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: presence CALLS BATCHES; prints for each batch ns a call: in front, plain\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    const long calls = atol(argv[1]);
    const long batches = atol(argv[2]);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double in = 1, out = 0; /* outside of a batch: excludes one-time costs of first calls */
    for (int i = 0; i < 100; ++i) MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (long i = 0; i < batches; ++i) {
        /* The order alternates, because a drift of the clock rate must favour neither. */
        const double early = batch(i % 2 == 0 ? MPI_Allreduce : PMPI_Allreduce, calls);
        const double late = batch(i % 2 == 0 ? PMPI_Allreduce : MPI_Allreduce, calls);
        if (rank == 0) printf("%.3f %.3f\n", i % 2 == 0 ? early : late, i % 2 == 0 ? late : early);
    }
    MPI_Finalize();
    return 0;
}
