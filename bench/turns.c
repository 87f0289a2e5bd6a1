/* SPDX-License-Identifier: Apache-2.0 */
/* Gain or cost of a library in front of the MPI library, call by call: MPI_X, which passes through it, and
   PMPI_X, which does not, in turns within one process. All ranks begin a call at one agreed instant, hence a
   call's time is that of its slowest rank. This needs a clock common to all ranks: one machine, like in
   `echelon cluster`. If info keys are given, the same calls come once more at the end, in turns with calls on
   communicators that have these keys. It knows nothing of Echelon. */
#define _GNU_SOURCE
#include "bench/either_call.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, ranks;
static long wrong, late;
static double ahead; /* seconds between the agreement on an instant and the instant */

/* Least numbers, for calls of any length: pairs of calls, and rounds of calls with info keys. */
static const long few_pairs = 6, few_rounds = 3;

/* Calls of one kind, and `words` info keys key=value, each for a communicator. */
struct calls {
    enum collective which;
    long bytes;
    int count, words;
    char** word;
    size_t room; /* bytes of `out` */
    double *in, *out;
};

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

/* Arrival time of the last rank, equal on all ranks; they know it within the time of announcement(). */
static double last_to_come(void) {
    double mine = now(), last;
    PMPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last;
}

/* An upper bound of the time until every rank knows the last one's arrival. */
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

/* The next agreed instant, equal on all ranks. */
static double next_start(const struct calls* calls) {
    memset(calls->out, 0, calls->room);
    return last_to_come() + ahead;
}

/* Duration of one call on this rank; the call begins at `start` on all ranks. */
static double took(const struct calls* calls, double start, int in_front, MPI_Comm comm) {
    late += now() > start;
    sleep_until(start);
    call(calls->which, in_front, rank, calls->in, calls->out, calls->count, comm);
    const double seconds = now() - start;
    wrong += !is_right(calls->which, rank, ranks, calls->count, calls->out);
    return seconds;
}

static void make_pairs(const struct calls* calls, long most, double budget) {
    double* const mine = malloc(2 * (size_t)most * sizeof(double));
    double* const slowest = malloc(2 * (size_t)most * sizeof(double));
    long pairs = 0;
    double first = 0;
    for (long i = -2; i < 2 * most; ++i) { /* the first pair warms up the library alone */
        /* The order alternates: a drift favours neither. */
        const int in_front = i >= 0 && (i % 2 == 0) == (i / 2 % 2 == 0);
        const double start = next_start(calls);
        if (i == 0) first = start;
        if (i >= 2 * few_pairs && i % 2 == 0 && start - first > budget) break;
        if (i >= 0) pairs = i / 2 + 1;
        const double seconds = took(calls, start, in_front, MPI_COMM_WORLD);
        if (i >= 0) mine[i / 2 * 2 + !in_front] = seconds;
    }
    PMPI_Reduce(mine, slowest, (int)(2 * pairs), MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (long i = 0; rank == 0 && i < pairs; ++i)
        printf("%s,%ld,%ld,%.9f,%.9f\n", names[calls->which], calls->bytes, i, slowest[2 * i],
               slowest[2 * i + 1]);
    fflush(stdout);
    free(mine);
    free(slowest);
}

/* A copy of MPI_COMM_WORLD with the info key `word`. */
static MPI_Comm told(const char* word) {
    MPI_Info info;
    MPI_Comm comm;
    char* const key = strdup(word);
    char* const equals = strchr(key, '=');
    *equals = '\0';
    MPI_Info_create(&info);
    MPI_Info_set(info, key, equals + 1);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Info_free(&info);
    free(key);
    return comm;
}

/* A round is a call in front, a plain one, and one for each word. It makes a third as many rounds as pairs,
   in a third of the time. */
static void make_rounds(const struct calls* calls, long most, double budget) {
    const int each = 2 + calls->words;
    MPI_Comm* const comms = malloc((size_t)each * sizeof(MPI_Comm));
    double* const mine = malloc(2 * (size_t)each * sizeof(double));
    double* const slowest = mine + each;
    double first = 0;
    for (int i = 0; i < each; ++i) comms[i] = i < 2 ? MPI_COMM_WORLD : told(calls->word[i - 2]);
    for (long round = -1; round < most / 3; ++round) { /* the first one warms up */
        double start = next_start(calls);
        if (round == 0) first = start;
        if (round >= few_rounds && start - first > budget / 3) break;
        for (int turn = 0; turn < each; ++turn) {
            const int i = (int)((turn + round + 1) % each); /* another one comes first in each round */
            if (turn > 0) start = next_start(calls);
            mine[i] = took(calls, start, i != 1, comms[i]);
        }
        PMPI_Reduce(mine, slowest, each, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        for (int i = 0; rank == 0 && round >= 0 && i < each; ++i)
            printf("%s,%ld,%ld,%d,%.9f\n", names[calls->which], calls->bytes, round, i, slowest[i]);
    }
    fflush(stdout);
    for (int i = 2; i < each; ++i) MPI_Comm_free(&comms[i]);
    free(comms);
    free(mine);
}

/* Parses `text` and the words behind it; ends the job if it is no collective:bytes. */
static struct calls named(char** text, char** end) {
    struct calls calls = {none, 0, 0, 0, text + 1, 0, NULL, NULL};
    const int found = named_call(*text, names, none, &calls.bytes);
    if (found < 0) {
        if (rank == 0) fprintf(stderr, "turns: '%s' is no collective:bytes\n", *text);
        PMPI_Abort(MPI_COMM_WORLD, 2);
    }
    while (text + 1 + calls.words < end && strchr(text[1 + calls.words], '=') != NULL) ++calls.words;
    calls.which = (enum collective)found;
    calls.count = (int)(calls.bytes / 8);
    const long inputs = (long)calls.count * blocks_in(calls.which, ranks);
    calls.room = (size_t)calls.count * (size_t)blocks_out(calls.which, ranks) * sizeof(double);
    calls.in = malloc((size_t)inputs * sizeof(double));
    calls.out = malloc(calls.room);
    for (long i = 0; i < inputs; ++i) calls.in[i] = input(rank, i);
    return calls;
}

int main(int argc, char** argv) {
    const long most = argc > 3 ? atol(argv[1]) : 0;
    const double budget = argc > 3 ? atof(argv[2]) : 0;
    if (most < 1 || budget <= 0) {
        fprintf(
            stderr,
            "usage: turns PAIRS SECONDS allreduce:8 [KEY=VALUE ...] reduce:65536 bcast:4096 ...; bytes in "
            "multiples of 8\n"
            "So many pairs of calls of each; after so many seconds no more, but %ld at least. Then, where "
            "there are info keys, a second table:\n"
            "column by is 0 in front, 1 plain, and 2, 3, ... on communicators that were told these\n",
            few_pairs);
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    ahead = announcement();
    int kinds = 0, words = 0;
    struct calls* const calls = malloc((size_t)argc * sizeof *calls);
    for (int argument = 3; argument < argc; argument += 1 + calls[kinds - 1].words)
        calls[kinds++] = named(argv + argument, argv + argc);
    if (rank == 0) printf("collective,bytes,pair,in_front_s,plain_s\n");
    for (int i = 0; i < kinds; ++i) {
        make_pairs(&calls[i], most, budget);
        words += calls[i].words;
    }
    if (rank == 0 && words > 0) printf("\ncollective,bytes,round,by,seconds\n");
    for (int i = 0; i < kinds; ++i) {
        if (calls[i].words > 0) make_rounds(&calls[i], most, budget);
        free(calls[i].in);
        free(calls[i].out);
    }
    free(calls);
    long all[2] = {wrong, late}, sum[2];
    PMPI_Allreduce(all, sum, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && sum[0] > 0) fprintf(stderr, "turns: %ld results were wrong\n", sum[0]);
    if (rank == 0 && sum[1] > 0)
        fprintf(stderr, "turns: %ld times a rank heard too late when to begin\n", sum[1]);
    MPI_Finalize();
    return sum[0] > 0;
}
