/* SPDX-License-Identifier: Apache-2.0 */
/* What many calls in a row take through a library in front of the MPI library, MPI_X, and by themselves, PMPI_X:
   after 20, 200, 2000 ... calls, first ones and all that is learnt and decided in between included. Ranks come to
   each call at random within LATE times what one takes; programs that call with a root wait for each other every ten
   calls. For simulated ranks (scripts/study-nothing-set). Knows nothing of Echelon. */
#include "bench/either_call.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, ranks;

static int is_right(enum collective which, const double* out, int count) {
    if (!has_result(which, rank == 0)) return 1;
    const double expected = which == bcast ? 1 : ranks * (ranks + 1) / 2.0;
    return out[0] == expected && out[count - 1] == expected;
}

/* The same on all machines. */
static double uniform(unsigned long long* state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 33) / 2147483648.0;
}

/* The total after 20, 200 ... calls into totals; how many of these there are. */
static int series(enum collective which, int in_front, double* in, double* out, int count, long calls,
                  double late, double* totals) {
    unsigned long long random = 1234567ULL * (unsigned long long)(rank + 1);
    int points = 0;
    long point = 20;
    double total = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    double began = PMPI_Wtime();
    for (long i = 1; i <= calls; ++i) {
        if (late > 0) usleep((useconds_t)(1e6 * late * uniform(&random)));
        call(which, in_front, rank == 0, in, out, count);
        if (which != allreduce && i % 10 == 0) (in_front ? MPI_Barrier : PMPI_Barrier)(MPI_COMM_WORLD);
        if (i != point && i != calls) continue;
        double ended = PMPI_Wtime(), last;
        PMPI_Allreduce(&ended, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        totals[points++] = total += last - began;
        point *= 10;
        PMPI_Barrier(MPI_COMM_WORLD);
        began = PMPI_Wtime();
    }
    return points;
}

int main(int argc, char** argv) {
    const long calls = argc > 3 ? atol(argv[1]) : 0;
    const double late = argc > 3 ? atof(argv[2]) : -1;
    if (calls < 1 || late < 0) {
        fprintf(stderr, "usage: series CALLS LATE allreduce:8 reduce:1024 ...; bytes in multiples of 8\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long wrong = 0, all = 0;
    if (rank == 0) printf("collective,bytes,calls,in_front_s,plain_s\n");
    for (int argument = 3; argument < argc; ++argument) {
        long bytes = 0;
        const int found = named_call(argv[argument], names, none, &bytes);
        if (found < 0) {
            if (rank == 0) fprintf(stderr, "series: '%s' is no collective:bytes\n", argv[argument]);
            PMPI_Abort(MPI_COMM_WORLD, 2);
        }
        const enum collective which = (enum collective)found;
        const int count = (int)(bytes / 8);
        double* const in = malloc((size_t)bytes);
        double* const out = calloc((size_t)count, sizeof(double));
        for (int i = 0; i < count; ++i) in[i] = 1 + rank;
        double plain[20], in_front[20];
        series(which, 0, in, out, count, 20, 0, plain);
        const double seconds = late * plain[0] / 20;
        series(which, 0, in, out, count, calls, seconds, plain);
        const int points = series(which, 1, in, out, count, calls, seconds, in_front);
        wrong += !is_right(which, out, count);
        long point = 20;
        for (int i = 0; rank == 0 && i < points; ++i, point *= 10)
            printf("%s,%ld,%ld,%.9f,%.9f\n", names[which], bytes, point < calls ? point : calls, in_front[i],
                   plain[i]);
        fflush(stdout);
        free(in);
        free(out);
    }
    PMPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all > 0) fprintf(stderr, "series: %ld results were wrong\n", all);
    MPI_Finalize();
    return all > 0;
}
