/* SPDX-License-Identifier: Apache-2.0 */
/* A program that starts others, in every possible way, with children that end by exit. */
#include <mpi.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int wrong;

static void sum(void) {
    int one = 1, all = 0, size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += all != size;
}

static void wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    wrong += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum();
    pid_t child = fork();
    if (child == 0) exit(0);
    wait_for(child);
    child = vfork();
    if (child == 0) _exit(0);
    wait_for(child);
    char* command[] = {"true", NULL};
    extern char** environ;
    wrong += posix_spawnp(&child, "true", NULL, NULL, command, environ) != 0;
    wait_for(child);
    wrong += system("true") != 0;
    sum();
    if (rank == 0) printf("%d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
