/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that do not synchronize natively: one rank has finished before the other has begun, which the first
   then tells. If one of them waits for all, the program hangs. On 2 ranks; prints the number of calls. */
#include <mpi.h>
#include <stdio.h>

static int rank, calls;

/* `first` calls, and then lets the other rank call too. */
static void one_after_the_other(int first, void (*call)(MPI_Comm), MPI_Comm comm) {
    int token = 0;
    if (rank == first) {
        call(comm);
        MPI_Send(&token, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        call(comm);
    }
    ++calls;
}

static void check(int right) {
    if (!right) {
        printf("wrong\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static void bcast(MPI_Comm comm) {
    int x = rank == 0 ? 17 : 0;
    MPI_Bcast(&x, 1, MPI_INT, 0, comm);
    check(x == 17);
}
static void reduce(MPI_Comm comm) {
    int in = rank + 1, out = 0;
    MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 0, comm);
    check(rank != 0 || out == 3);
}
static void gather(MPI_Comm comm) {
    int in = rank + 1, out[2] = {0, 0};
    MPI_Gather(&in, 1, MPI_INT, out, 1, MPI_INT, 0, comm);
    check(rank != 0 || (out[0] == 1 && out[1] == 2));
}
static void scatter(MPI_Comm comm) {
    int in[2] = {3, 4}, out = 0;
    MPI_Scatter(in, 1, MPI_INT, &out, 1, MPI_INT, 0, comm);
    check(out == rank + 3);
}
static void nothing(MPI_Comm comm) { MPI_Bcast(NULL, 0, MPI_INT, 0, comm); }

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm made[4] = {MPI_COMM_WORLD};
    int sizes[1] = {2}, periods[1] = {0};
    MPI_Comm_dup(MPI_COMM_WORLD, &made[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made[2]);
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &made[3]);
    for (int i = 0; i < 4; ++i)
        for (int round = 0; round < 3; ++round) {
            one_after_the_other(0, bcast, made[i]);
            one_after_the_other(1, reduce, made[i]);
            one_after_the_other(1, gather, made[i]);
            one_after_the_other(0, scatter, made[i]);
            one_after_the_other(0, nothing, made[i]);
            /* Exchanges of the ranks here must not change that. */
            if (round == 1) MPI_Barrier(made[i]);
        }
    if (rank == 0) printf("%d calls\n", calls);
    MPI_Finalize();
    return 0;
}
