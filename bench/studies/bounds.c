/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds by the memory of a node, and beside them, in turns within one process, times of collectives of two
   ranks: a line of memory handed from one rank to the other and back, beside short allreduces; each rank
   copying a vector of its own, both at once, beside allreduces of this length, each of which has to load and
   to store as much; and one rank copying alone, beside bcasts. Collectives are MPI_X, because a library in
   front may serve them. */
#include "bench/median.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { hand_overs = 20000, short_calls = 2000, line = 128 };

static int rank;

static double slowest(double seconds) {
    double all;
    PMPI_Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* Seconds until a store of one rank is visible to the other. Each writes a line of its own. */
static double hand_over(atomic_long* lines) {
    const long words = line / (long)sizeof *lines;
    atomic_long* const mine = lines + rank * words;
    atomic_long* const theirs = lines + !rank * words;
    double began;
    atomic_store(mine, 0);
    PMPI_Barrier(MPI_COMM_WORLD);
    began = MPI_Wtime();
    for (long i = 1; i <= hand_overs; ++i) {
        if (rank == 0) atomic_store_explicit(mine, i, memory_order_release);
        while (atomic_load_explicit(theirs, memory_order_acquire) < i) {
        }
        if (rank == 1) atomic_store_explicit(mine, i, memory_order_release);
    }
    return slowest(MPI_Wtime() - began) / (2.0 * hand_overs);
}

static double short_allreduce(void) {
    double one = 1, sum, began;
    PMPI_Barrier(MPI_COMM_WORLD);
    began = MPI_Wtime();
    for (int i = 0; i < short_calls; ++i) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return slowest(MPI_Wtime() - began) / short_calls;
}

enum work { copy_both, copy_one, allreduce, bcast };

/* Seconds of one operation. Requires: the inputs are written. */
static double longer(enum work work, double* in, double* out, long bytes) {
    const int count = (int)(bytes / 8);
    double began;
    for (int i = 0; i < count; ++i) in[i] = rank + i;
    MPI_Barrier(MPI_COMM_WORLD); /* a library in front may use it to exchange timings of bcasts */
    began = MPI_Wtime();
    if (work == copy_both || (work == copy_one && rank == 1)) memcpy(out, in, (size_t)bytes);
    if (work == allreduce) MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (work == bcast) MPI_Bcast(rank == 0 ? in : out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return slowest(MPI_Wtime() - began);
}

static void compare(const char* name, enum work bound, enum work work, long bytes, int turns, double* times) {
    double* const in = malloc((size_t)bytes);
    double* const out = malloc((size_t)bytes);
    double *const least = times, *const took = times + turns, *const part = times + 2 * turns;
    memset(out, 1, (size_t)bytes);
    for (int i = 0; i < 40; ++i) longer(work, in, out, bytes); /* lets a library in front decide */
    for (int i = 0; i < turns; ++i) {
        least[i] = longer(bound, in, out, bytes);
        took[i] = longer(work, in, out, bytes);
        part[i] = least[i] / took[i];
    }
    if (rank == 0) {
        const double percent = 100 * median(part, turns);
        printf("%-10s %12ld bytes %10.1f us; copying as much %10.1f us, %3.0f %%\n", name, bytes,
               1e6 * median(took, turns), 1e6 * median(least, turns), percent);
    }
    free(in);
    free(out);
}

int main(int argc, char** argv) {
    const int turns = argc > 1 ? atoi(argv[1]) : 0;
    int ranks = 0;
    void* memory = NULL;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (turns < 1 || ranks != 2) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: mpiexec -n 2 bounds TURNS BYTES...; two ranks of one node, a processor each\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Aint size = rank == 0 ? 3 * line : 0;
    int unit = 1;
    MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_shared_query(window, 0, &size, &unit, &memory);
    char* const first = (char*)memory + (line - (long)((size_t)memory % line)) % line;
    double* const times = malloc(3 * (size_t)turns * sizeof(double));
    double *const over = times, *const call = times + turns, *const ratio = times + 2 * turns;
    for (int i = 0; i < 10; ++i) short_allreduce();
    for (int i = 0; i < turns; ++i) {
        over[i] = hand_over((atomic_long*)(void*)first);
        call[i] = short_allreduce();
        ratio[i] = call[i] / over[i];
    }
    if (rank == 0) {
        const double calls = median(ratio, turns);
        printf("allreduce  %12d bytes %10.3f us; a hand-over %.3f us, %.1f of them\n", 8,
               1e6 * median(call, turns), 1e6 * median(over, turns), calls);
    }
    for (int i = 2; i < argc; ++i) {
        const long bytes = atol(argv[i]) / 8 * 8;
        compare("allreduce", copy_both, allreduce, bytes, turns, times);
        compare("bcast", copy_one, bcast, bytes, turns, times);
    }
    free(times);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
