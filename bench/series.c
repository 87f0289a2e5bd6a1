/* SPDX-License-Identifier: Apache-2.0 */
/* Times of many consecutive calls through a library in front of the MPI library, MPI_X, and without it,
   PMPI_X, after 20, 200, 2000 ... calls. They include first calls and all learning and deciding in between.
   `least_s` is the time of the same program if calls took no time. Ranks enter each call at random within
   LATE times its duration; programs with a root, and of alltoallv, synchronize every ten calls. The line
   `next` is one further call from a common start: the median of five.

       series [--after SECONDS] [--part COUNTxSTRIDE [--all-parts]] CALLS LATE allreduce:8 reduce:1024 ...

   --after: the program runs SECONDS before it makes that communicator. --part: on a communicator of COUNT
   ranks, STRIDE apart. --all-parts: all other ranks also call on communicators like it, at the same time,
   until the last of all has ended. For simulated ranks (bench/studies/study-nothing-set and study-regret). It
   knows nothing of Echelon. */
#include "bench/either_call.h"
#include "bench/median.h"

#include <mpi.h>
#include <smpi/smpi_helpers_internal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static MPI_Comm comm;
static MPI_Comm all; /* Times of calls count on all its ranks. */
static int rank, ranks, prints;

/* Lets virtual time pass. */
static void rest(double seconds) {
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    if (seconds > 0) smpi_nanosleep(&time, NULL);
}

/* Seed of a rank, equal on all machines. */
static unsigned long long seed_of(int one) { return 1234567ULL * (unsigned long long)(one + 1); }
static double uniform(unsigned long long* state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 33) / 2147483648.0;
}

/* True if no rank leaves the call before all have come; in an alltoallv blocks may be empty. */
static int all_meet(enum collective which) {
    return which == allreduce || which == allgather || which == alltoall || which == reduce_scatter ||
           which == barrier;
}

static int all_wait(enum collective which, long call) { return all_meet(which) || call % 10 == 0; }

/* Writes the total after 20, 200 ... calls into totals; returns their number. */
static int series(enum collective which, int in_front, double* in, double* out, int count, long calls,
                  double late, double* totals) {
    unsigned long long random = seed_of(rank);
    int points = 0;
    long point = 20;
    double total = 0;
    PMPI_Barrier(all);
    double began = PMPI_Wtime();
    for (long i = 1; i <= calls; ++i) {
        rest(late * uniform(&random));
        call(which, in_front, rank, in, out, count, comm);
        if (!all_meet(which) && all_wait(which, i)) (in_front ? MPI_Barrier : PMPI_Barrier)(comm);
        if (i != point && i != calls) continue;
        double ended = PMPI_Wtime(), last;
        PMPI_Allreduce(&ended, &last, 1, MPI_DOUBLE, MPI_MAX, all);
        totals[points++] = total += last - began;
        point *= 10;
        PMPI_Barrier(all);
        began = PMPI_Wtime();
    }
    return points;
}

static double latest(const double* clocks) {
    double last = clocks[0];
    for (int i = 1; i < ranks; ++i) last = clocks[i] > last ? clocks[i] : last;
    return last;
}

/* Totals if calls took no time: ranks only wait for each other. */
static void least(enum collective which, long calls, double late, double* totals) {
    unsigned long long* const random = malloc((size_t)ranks * sizeof *random);
    double* const clocks = calloc((size_t)ranks, sizeof *clocks);
    long point = 20;
    for (int i = 0; i < ranks; ++i) random[i] = seed_of(i);
    for (long i = 1; i <= calls; ++i) {
        for (int one = 0; one < ranks; ++one) clocks[one] += late * uniform(&random[one]);
        const double last = latest(clocks);
        for (int one = 0; one < ranks; ++one)
            if (all_wait(which, i) || i == point || which == alltoallv ||
                ((which == reduce || which == gather || which == gatherv) && one == 0))
                clocks[one] = last;
            else if ((which == bcast || which == scatter || which == scatterv) && clocks[one] < clocks[0])
                clocks[one] = clocks[0];
            else if (which == scan && one > 0 && clocks[one] < clocks[one - 1])
                clocks[one] = clocks[one - 1];
        if (i != point && i != calls) continue;
        *totals++ = last;
        point *= 10;
    }
    free(clocks);
    free(random);
}

/* Time of one call from a common start to the last rank's end. */
static double alone(enum collective which, int in_front, double* in, double* out, int count) {
    enum { turns = 5 };
    double times[turns];
    for (int i = 0; i < turns; ++i) {
        double start = PMPI_Wtime() + 1, common, ended, last;
        PMPI_Allreduce(&start, &common, 1, MPI_DOUBLE, MPI_MAX, all);
        rest(common - PMPI_Wtime());
        call(which, in_front, rank, in, out, count, comm);
        ended = PMPI_Wtime();
        PMPI_Allreduce(&ended, &last, 1, MPI_DOUBLE, MPI_MAX, all);
        times[i] = last - common;
    }
    return median(times, turns);
}

static void print(enum collective which, long bytes, const char* calls, double in_front, double plain,
                  double no_time) {
    if (prints) printf("%s,%ld,%s,%.9f,%.9f,%.9f\n", names[which], bytes, calls, in_front, plain, no_time);
}

/* Returns true if all results are right. */
static int measure(enum collective which, long bytes, long calls, double late) {
    const int count = (int)(bytes / 8);
    const long inputs = (long)count * blocks_in(which, ranks);
    double* const in = malloc((size_t)inputs * sizeof(double));
    double* const out = calloc((size_t)count * (size_t)blocks_out(which, ranks), sizeof(double));
    for (long i = 0; i < inputs; ++i) in[i] = input(rank, i);
    double plain[20], in_front[20], no_time[20];
    series(which, 0, in, out, count, 20, 0, plain);
    const double seconds = late * plain[0] / 20;
    least(which, calls, seconds, no_time);
    series(which, 0, in, out, count, calls, seconds, plain);
    /* The library in front is measured second, because its budget for decisions depends on the age of the
       program. */
    const int points = series(which, 1, in, out, count, calls, seconds, in_front);
    const double next = alone(which, 1, in, out, count);
    const int right = is_right(which, rank, ranks, count, out);
    const double plain_next = alone(which, 0, in, out, count);
    long point = 20;
    for (int i = 0; i < points; ++i, point *= 10) {
        char text[24];
        snprintf(text, sizeof text, "%ld", point < calls ? point : calls);
        print(which, bytes, text, in_front[i], plain[i], no_time[i]);
    }
    print(which, bytes, "next", next, plain_next, 0);
    fflush(stdout);
    free(in);
    free(out);
    return right;
}

static int usage(void) {
    fprintf(
        stderr,
        "usage: series [--after SECONDS] [--part COUNTxSTRIDE [--all-parts]] CALLS LATE allreduce:8 reduce:1024 ...; bytes in multiples of "
        "8\n");
    return 2;
}

int main(int argc, char** argv) {
    int argument = 1, count = 0, stride = 1, all_parts = 0;
    double after = 0;
    if (argc > argument + 1 && strcmp(argv[argument], "--after") == 0) {
        after = atof(argv[argument + 1]);
        argument += 2;
    }
    if (argc > argument + 1 && strcmp(argv[argument], "--part") == 0) {
        if (sscanf(argv[argument + 1], "%dx%d", &count, &stride) != 2 || count < 1 || stride < 1)
            return usage();
        argument += 2;
        all_parts = argc > argument && strcmp(argv[argument], "--all-parts") == 0;
        argument += all_parts;
    }
    if (argc < argument + 3) return usage();
    const long calls = atol(argv[argument]);
    const double late = atof(argv[argument + 1]);
    if (calls < 1 || late < 0 || after < 0) return usage();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comm = MPI_COMM_WORLD;
    rest(after);
    prints = rank == 0;
    if (count > 0) {
        const int part = rank / (count * stride) * stride + rank % stride;
        MPI_Comm_split(MPI_COMM_WORLD, part == 0 || all_parts ? part : MPI_UNDEFINED, rank, &comm);
    }
    all = all_parts ? MPI_COMM_WORLD : comm;
    long wrong = 0;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        if (prints) printf("collective,bytes,calls,in_front_s,plain_s,least_s\n");
        for (argument += 2; argument < argc; ++argument) {
            long bytes = 0;
            const int found = named_call(argv[argument], names, none, &bytes);
            if (found < 0) {
                if (prints) fprintf(stderr, "series: '%s' is no collective:bytes\n", argv[argument]);
                PMPI_Abort(MPI_COMM_WORLD, 2);
            }
            wrong += !measure((enum collective)found, bytes, calls, late);
        }
    }
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    long all_wrong = 0;
    PMPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (prints && all_wrong > 0) fprintf(stderr, "series: %ld results were wrong\n", all_wrong);
    MPI_Finalize();
    return all_wrong > 0;
}
