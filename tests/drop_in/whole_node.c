/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a copy of MPI_COMM_WORLD and on its ranks in reverse, in turns, of four lengths: whole_node TIMES.
   Prints the number of wrong results. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { longest = 9000, longest_block = 700 };
static long *in, *out, wrong;

static void expect(int right) { wrong += !right; }

static void call(MPI_Comm comm, int count, int root, int time) {
    int me, p;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &p);
    const long all = (long)p * (p - 1) / 2, before = (long)me * (me + 1) / 2;
    for (int i = 0; i < count; ++i) in[i] = 3 * me + i + time;
    MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < count; ++i) expect(out[i] == 3 * all + (long)p * (i + time));
    MPI_Scan(in, out, count, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < count; ++i) expect(out[i] == 3 * before + (long)(me + 1) * (i + time));
    for (int i = 0; i < count; ++i) out[i] = me == root ? 5 * i + time : -1;
    MPI_Bcast(out, count, MPI_LONG, root, comm);
    for (int i = 0; i < count; ++i) expect(out[i] == 5 * i + time);
    const int block = count < longest_block ? count : longest_block;
    for (int other = 0; other < p; ++other)
        for (int i = 0; i < block; ++i) in[other * block + i] = 1000000L * me + 1000L * other + i + time;
    MPI_Alltoall(in, block, MPI_LONG, out, block, MPI_LONG, comm);
    for (int other = 0; other < p; ++other)
        for (int i = 0; i < block; ++i)
            expect(out[other * block + i] == 1000000L * other + 1000L * me + i + time);
}

int main(int argc, char** argv) {
    const int times = argc > 1 ? atoi(argv[1]) : 1, counts[] = {1, 13, 700, longest};
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const size_t most = (size_t)longest + (size_t)longest_block * (size_t)ranks;
    in = malloc(most * sizeof *in);
    out = malloc(most * sizeof *out);
    MPI_Comm comms[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
    for (int time = 0; time < times; ++time)
        for (int i = 0; i < 8; ++i) call(comms[i % 2], counts[i / 2], (7 * time + i) % ranks, time);
    long all_wrong = 0;
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %ld wrong\n", ranks, all_wrong);
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
