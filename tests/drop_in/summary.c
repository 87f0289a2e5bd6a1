/* SPDX-License-Identifier: Apache-2.0 */
/* Twenty sums of 64 ints, before each of which rank 0 comes late; then a broadcast. With `abort` rank 1 ends
   the program in its middle. With `early` rank 0 leaves MPI before the others. With `TERM` or `INT` that
   signal ends rank 0; with `handled` the program has a handler of its own, and ends well. With `exit` a
   handler of exit that is older than MPI_Init sums once more, and MPI is not finalized. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The launcher kills all ranks when the first has ended: the others wait for the file that rank 0 writes. */
static void wait_for(const char* file) {
    while (access(file, F_OK) != 0) usleep(10000);
}

static void sum_once(void) {
    int mine = 1, sum, rank;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) wait_for("x.json");
}

static void end_well(int number) {
    (void)number;
    MPI_Finalize();
    _exit(0);
}

/* A child that is ended by a signal must not end its parent. */
static void end_by(int number) {
    int status = 0, rank;
    const pid_t child = fork();
    if (child == 0) {
        raise(number);
        _exit(1);
    }
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) raise(number); /* if others end, the launcher kills this one */
    for (;;) pause();
}

int main(int argc, char** argv) {
    const char* const how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "exit") == 0) atexit(sum_once);
    int mine[64] = {0}, sum[64], rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < 20; ++call) {
        if (rank == 0) usleep(2000);
        MPI_Allreduce(mine, sum, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Bcast(mine, 64, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(how, "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "abort") == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "early") == 0 && rank != 0) wait_for("e.json");
    if (strcmp(how, "TERM") == 0) end_by(SIGTERM);
    if (strcmp(how, "INT") == 0) end_by(SIGINT);
    if (strcmp(how, "handled") == 0) {
        signal(SIGTERM, end_well);
        raise(SIGTERM);
    }
    if (strcmp(how, "exit") != 0) MPI_Finalize();
    return 0;
}
