/* SPDX-License-Identifier: Apache-2.0 */
/* A rank is killed in the middle of a collective: killed operation|before|long. `operation`: while it
   combines, when others have sent already or wait for it; `before`: while all others are inside; `long`:
   while megabytes are under way. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "tell.h"

static int calls, rank, size;

static void combine(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    if (++calls > 3 && rank == size / 2) raise(SIGKILL);
    for (int i = 0; i < *count; ++i) ((int*)right)[i] += ((int*)left)[i];
}

static void die(int signal) {
    (void)signal;
    raise(SIGKILL);
}

static void call_long(void) {
    const int count = 1 << 20;
    int *in = calloc((size_t)count, sizeof *in), *out = calloc((size_t)count, sizeof *out);
    const struct itimerval soon = {.it_value = {.tv_sec = 0, .tv_usec = 200000}};
    if (rank == size / 2) {
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
    for (int i = 0; i < 10000; ++i) {
        MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(in, count, MPI_INT, i % size, MPI_COMM_WORLD);
    }
    free(in);
    free(out);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op op;
    MPI_Op_create(combine, 1, &op);
    int in[100] = {0}, out[100];
    MPI_Allreduce(in, out, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) tell("begun\n");
    if (argc > 1 && strcmp(argv[1], "before") == 0) {
        if (rank == size / 2) {
            usleep(200000);
            raise(SIGKILL);
        }
        MPI_Allreduce(in, out, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else if (argc > 1 && strcmp(argv[1], "long") == 0) {
        call_long();
    } else {
        for (int i = 0; i < 10000; ++i) MPI_Allreduce(in, out, 100, MPI_INT, op, MPI_COMM_WORLD);
    }
    if (rank == 0) tell("nobody was killed\n");
    MPI_Finalize();
    return 0;
}
