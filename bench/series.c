/* SPDX-License-Identifier: Apache-2.0 */
/* What many calls in a row take through a library in front of the MPI library, MPI_X, and by themselves, PMPI_X:
   after 20, 200, 2000 ... calls, first ones and all that is learnt and decided in between included; and, as
   `least_s`, what the same program would take if calls took no time. Ranks come to each call at random within LATE
   times what one takes; programs that call with a root wait for each other every ten calls. The line `next` is one
   call that follows, from a common start: the median of five.

       series [--after SECONDS] [--part COUNTxSTRIDE [--all-parts]] CALLS LATE allreduce:8 reduce:1024 ...

   --after: in a program that has run so long when it makes that communicator. --part: on a communicator of so many
   ranks, so far apart; --all-parts: and all others on communicators like it, at the same time, until the last of
   all has ended. For simulated ranks (scripts/study-nothing-set, scripts/study-regret). Knows nothing of Echelon. */
#include "bench/either_call.h"
#include "bench/median.h"

#include <mpi.h>
#include <smpi/smpi_helpers_internal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static MPI_Comm comm;
static MPI_Comm all; /* Whose calls are timed. */
static int rank, ranks, prints;

/* In virtual time. */
static void rest(double seconds) {
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    if (seconds > 0) smpi_nanosleep(&time, NULL);
}

/* Of a rank, the same on all machines. */
static unsigned long long seed_of(int one) { return 1234567ULL * (unsigned long long)(one + 1); }
static double uniform(unsigned long long* state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 33) / 2147483648.0;
}

/* Whether no rank has its result before all have come. */
static int all_meet(enum collective which) {
    return which == allreduce || which == allgather || which == alltoall || which == reduce_scatter ||
           which == barrier;
}

static int all_wait(enum collective which, long call) { return all_meet(which) || call % 10 == 0; }

/* The total after 20, 200 ... calls into totals; how many of these there are. */
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

/* The same totals, if calls took no time: ranks only wait for each other. */
static void least(enum collective which, long calls, double late, double* totals) {
    unsigned long long* const random = malloc((size_t)ranks * sizeof *random);
    double* const clocks = calloc((size_t)ranks, sizeof *clocks);
    long point = 20;
    for (int i = 0; i < ranks; ++i) random[i] = seed_of(i);
    for (long i = 1; i <= calls; ++i) {
        for (int one = 0; one < ranks; ++one) clocks[one] += late * uniform(&random[one]);
        const double last = latest(clocks);
        for (int one = 0; one < ranks; ++one)
            if (all_wait(which, i) || i == point || ((which == reduce || which == gather) && one == 0))
                clocks[one] = last;
            else if ((which == bcast || which == scatter) && clocks[one] < clocks[0])
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

/* One call from a common start, to the last rank's end. */
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

/* Whether all results were right. */
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
    /* Nobody has rested before: what may be thought hangs on how long a program runs. */
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
