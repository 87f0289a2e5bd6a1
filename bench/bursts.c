/* SPDX-License-Identifier: Apache-2.0 */
/* Gain or cost of a library in front of the MPI library for consecutive calls: bursts of MPI_X, which pass
   through it, and of PMPI_X, which do not, in turns within one process. A ratio compares two consecutive
   bursts, because the machine's momentary speed affects both. The program knows nothing of Echelon. `fresh`
   writes the inputs before every call, like programs do; otherwise they stay in the reader's cache.
   `calls=N`: calls of a burst. */
#include "bench/median.h"
#include "bench/named_call.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, fresh, asked_calls;
enum collective { allreduce, reduce, bcast, barrier, allgather, alltoall, none };
static const char* const names[] = {"allreduce", "reduce", "bcast", "barrier", "allgather", "alltoall"};

static void call(enum collective which, int in_front, double* in, double* out, int count) {
    const int each = count / ranks;
    const MPI_Comm all = MPI_COMM_WORLD;
    switch (which) {
        case allreduce:
            (in_front ? MPI_Allreduce : PMPI_Allreduce)(in, out, count, MPI_DOUBLE, MPI_SUM, all);
            return;
        case reduce:
            (in_front ? MPI_Reduce : PMPI_Reduce)(in, out, count, MPI_DOUBLE, MPI_SUM, 0, all);
            return;
        case bcast:
            (in_front ? MPI_Bcast : PMPI_Bcast)(in, count, MPI_DOUBLE, 0, all);
            return;
        case barrier:
            (in_front ? MPI_Barrier : PMPI_Barrier)(all);
            return;
        case allgather:
            (in_front ? MPI_Allgather : PMPI_Allgather)(in, each, MPI_DOUBLE, out, each, MPI_DOUBLE, all);
            return;
        case alltoall:
            (in_front ? MPI_Alltoall : PMPI_Alltoall)(in, each, MPI_DOUBLE, out, each, MPI_DOUBLE, all);
            return;
        case none:
            return;
    }
}

/* Seconds of a call on the slowest rank. */
static double burst(enum collective which, int in_front, double* in, double* out, int count, int calls) {
    double own, slowest;
    /* Programs synchronize now and then through the library that serves all of their calls, which may
       exchange timings then. */
    (in_front ? MPI_Barrier : PMPI_Barrier)(MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
    own = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        if (fresh) memset(in, i, (size_t)count * sizeof *in);
        call(which, in_front, in, out, count);
    }
    own = (MPI_Wtime() - own) / calls;
    PMPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

int main(int argc, char** argv) {
    int first = 2;
    const int turns = argc > 2 ? atoi(argv[1]) : 0;
    if (turns < 1) {
        fprintf(
            stderr,
            "usage: bursts TURNS [fresh] [calls=N] allreduce:8 bcast:65536 ...; bytes in multiples of 8, of an allgather and alltoall of all ranks together\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(argv[first], "fresh") == 0) fresh = 1, ++first;
    if (first < argc && strncmp(argv[first], "calls=", 6) == 0) asked_calls = atoi(argv[first++] + 6);
    double *front = malloc(sizeof(double) * (size_t)turns), *library = malloc(sizeof(double) * (size_t)turns),
           *ratio = malloc(sizeof(double) * (size_t)turns);
    if (rank == 0)
        printf("%-10s %10s %12s %12s %10s   (us, medians of %d turns%s; ratio: library / in front)\n", "call",
               "bytes", "library", "in front", "ratio", turns, fresh ? ", fresh inputs" : "");
    for (; first < argc; ++first) {
        long bytes = 0;
        const int found = named_call(argv[first], names, none, &bytes);
        if (found < 0) {
            if (rank == 0) fprintf(stderr, "bursts: '%s' is no collective:bytes\n", argv[first]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        const enum collective which = (enum collective)found;
        const int count = (int)(bytes / 8);
        if (count < (which == allgather || which == alltoall ? ranks : 1)) {
            if (rank == 0) fprintf(stderr, "bursts: '%s' has less than 8 bytes for each rank\n", argv[first]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        double *in = calloc((size_t)count, 8), *out = calloc((size_t)count, 8);
        const int calls = asked_calls > 0 ? asked_calls : bytes < 4096 ? 400 : bytes < 262144 ? 60 : 4;
        for (int i = 0; i < 3; ++i) /* lets a library in front decide */
            burst(which, 1, in, out, count, calls), burst(which, 0, in, out, count, calls);
        for (int i = 0; i < turns; ++i) {
            const int before = i % 2;
            const double one = burst(which, before, in, out, count, calls),
                         other = burst(which, !before, in, out, count, calls);
            front[i] = before ? one : other;
            library[i] = before ? other : one;
            ratio[i] = library[i] / front[i];
        }
        if (rank == 0)
            printf("%-10s %10ld %12.3f %12.3f %10.2f\n", names[which], bytes, 1e6 * median(library, turns),
                   1e6 * median(front, turns), median(ratio, turns));
        free(in);
        free(out);
    }
    free(front);
    free(library);
    free(ratio);
    MPI_Finalize();
    return 0;
}
