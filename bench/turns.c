/* SPDX-License-Identifier: Apache-2.0 */
/* What a library in front of the MPI library gains or costs, call by call: MPI_X, which comes through it, and
   PMPI_X, which does not, in turns within one process. All ranks begin a call at the same instant, agreed on
   beforehand, so that a call's time is that of its slowest rank. Only where all ranks share a clock: on one
   machine, as in `echelon cluster`. Knows nothing of Echelon. */
#define _GNU_SOURCE
#include "bench/either_call.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, ranks;
static const long few = 6; /* pairs of calls that are made however long they take */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void sleep_until(double instant) {
    struct timespec time;
    time.tv_sec = (time_t)instant;
    time.tv_nsec = (long)((instant - (double)time.tv_sec) * 1e9);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

/* When the last rank came here: the same on all ranks, which know it about as long after it as announcement() says. */
static double last_to_come(void) {
    double mine = now(), last;
    PMPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last;
}

/* Longer than it takes until every rank has heard when the last one came. */
static double announcement(void) {
    double longest = 0;
    for (int i = 0; i < 10; ++i) {
        double took = -last_to_come(), slowest;
        took += now();
        PMPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (i > 1 && slowest > longest) longest = slowest;
    }
    return 1.5 * longest + 1e-3;
}

int main(int argc, char** argv) {
    const long most = argc > 3 ? atol(argv[1]) : 0;
    const double budget = argc > 3 ? atof(argv[2]) : 0;
    if (most < 1 || budget <= 0) {
        fprintf(
            stderr,
            "usage: turns PAIRS SECONDS allreduce:8 reduce:65536 bcast:4096 ...; bytes in multiples of 8\n"
            "So many pairs of calls of each; after so many seconds no more, but %ld at least\n",
            few);
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double ahead = announcement();
    double* const mine = malloc(2 * (size_t)most * sizeof(double));
    double* const slowest = malloc(2 * (size_t)most * sizeof(double));
    long wrong = 0, late = 0;
    if (rank == 0) printf("collective,bytes,pair,in_front_s,plain_s\n");
    for (int argument = 3; argument < argc; ++argument) {
        long bytes = 0;
        const int found = named_call(argv[argument], names, none, &bytes);
        if (found < 0) {
            if (rank == 0) fprintf(stderr, "turns: '%s' is no collective:bytes\n", argv[argument]);
            PMPI_Abort(MPI_COMM_WORLD, 2);
        }
        const enum collective which = (enum collective)found;
        const int count = (int)(bytes / 8);
        const long inputs = (long)count * blocks_in(which, ranks);
        const size_t room = (size_t)count * (size_t)blocks_out(which, ranks) * sizeof(double);
        double* const in = malloc((size_t)inputs * sizeof(double));
        double* const out = malloc(room);
        for (long i = 0; i < inputs; ++i) in[i] = input(rank, i);
        long pairs = 0;
        double first = 0;
        for (long i = -2; i < 2 * most; ++i) { /* the first pair warms up the library alone */
            /* Who comes first changes: a drift favours neither. */
            const int in_front = i >= 0 && (i % 2 == 0) == (i / 2 % 2 == 0);
            double start;
            memset(out, 0, room);
            start = last_to_come() + ahead;
            if (i == 0) first = start;
            if (i >= 2 * few && i % 2 == 0 && start - first > budget) break; /* alike on all ranks */
            if (i >= 0) pairs = i / 2 + 1;
            late += now() > start;
            sleep_until(start);
            call(which, in_front, rank, in, out, count, MPI_COMM_WORLD);
            if (i >= 0) mine[i / 2 * 2 + !in_front] = now() - start;
            wrong += !is_right(which, rank, ranks, count, out);
        }
        PMPI_Reduce(mine, slowest, (int)(2 * pairs), MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        for (long i = 0; rank == 0 && i < pairs; ++i)
            printf("%s,%ld,%ld,%.9f,%.9f\n", names[which], bytes, i, slowest[2 * i], slowest[2 * i + 1]);
        fflush(stdout);
        free(in);
        free(out);
    }
    long all[2] = {wrong, late}, sum[2];
    PMPI_Allreduce(all, sum, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && sum[0] > 0) fprintf(stderr, "turns: %ld results were wrong\n", sum[0]);
    if (rank == 0 && sum[1] > 0)
        fprintf(stderr, "turns: %ld times a rank heard too late when to begin\n", sum[1]);
    free(mine);
    free(slowest);
    MPI_Finalize();
    return sum[0] > 0;
}
