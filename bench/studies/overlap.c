/* SPDX-License-Identifier: Apache-2.0 */
/* Nonblocking collectives of the MPI library (PMPI) and of the library in front of it (MPI), in turns within
   one run: the time of a call alone, and the part of it that hides behind computing, as IMB-NBC measures it.
   The program computes as long as the call takes alone, with some calls of MPI_Test.

   usage: overlap TURNS TESTS BYTES...     prints: collective, bytes, us and percent hidden of each library */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { library, in_front };
static int rank;
static char *in, *out;

static int by_order(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* times, int count) {
    qsort(times, (size_t)count, sizeof *times, by_order);
    return times[count / 2];
}

static void start(int who, int collective, int bytes, MPI_Request* request) {
    const int count = bytes / (int)sizeof(double);
    if (collective == 0)
        (who == library ? PMPI_Iallreduce : MPI_Iallreduce)(in, out, count, MPI_DOUBLE, MPI_SUM,
                                                            MPI_COMM_WORLD, request);
    else
        (who == library ? PMPI_Ibcast : MPI_Ibcast)(in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD, request);
}

static void compute(double seconds, int tests, MPI_Request* request) {
    const double begin = MPI_Wtime();
    for (int piece = 1; piece <= tests + 1; ++piece) {
        int complete;
        while (MPI_Wtime() - begin < seconds * piece / (tests + 1)) continue;
        if (piece <= tests) MPI_Test(request, &complete, MPI_STATUS_IGNORE);
    }
}

/* The time of a call beside `seconds` of computing, on the slowest rank. */
static double timed(int who, int collective, int bytes, double seconds, int tests) {
    MPI_Request request;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    start(who, collective, bytes, &request);
    compute(seconds, tests, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    double time = MPI_Wtime() - begin;
    PMPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return time;
}

int main(int argc, char** argv) {
    static const char* const names[] = {"allreduce", "bcast"};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 4) {
        if (rank == 0) fprintf(stderr, "usage: overlap TURNS TESTS BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int turns = atoi(argv[1]), tests = atoi(argv[2]);
    double* times[2] = {malloc(sizeof(double) * (size_t)turns), malloc(sizeof(double) * (size_t)turns)};
    for (int collective = 0; collective < 2; ++collective)
        for (int i = 3; i < argc; ++i) {
            const int bytes = atoi(argv[i]);
            double alone[2], beside[2];
            in = calloc(1, (size_t)bytes);
            out = calloc(1, (size_t)bytes);
            for (int turn = 0; turn < turns; ++turn)
                for (int who = 0; who < 2; ++who) times[who][turn] = timed(who, collective, bytes, 0, 0);
            for (int who = 0; who < 2; ++who) alone[who] = median(times[who], turns);
            for (int turn = 0; turn < turns; ++turn)
                for (int who = 0; who < 2; ++who)
                    times[who][turn] = timed(who, collective, bytes, alone[who], tests);
            for (int who = 0; who < 2; ++who) beside[who] = median(times[who], turns);
            if (rank == 0) {
                printf("%s %d", names[collective], bytes);
                for (int who = 0; who < 2; ++who) {
                    const double hidden = (2 * alone[who] - beside[who]) / alone[who];
                    printf(" %.2f %.0f", alone[who] * 1e6, 100 * (hidden < 0 ? 0 : hidden > 1 ? 1 : hidden));
                }
                printf("\n");
                fflush(stdout);
            }
            free(in);
            free(out);
        }
    MPI_Finalize();
    return 0;
}
