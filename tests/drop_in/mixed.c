/* SPDX-License-Identifier: Apache-2.0 */
/* mixed [past|past_thread]: communicates as early as possible, in collectives and in messages, which could
   meet any start-up message of Echelon's ranks. With a word, MPI_Init or MPI_Init_thread goes past the
   library in front, like in programs that look it up in the MPI library itself (ctypes, Julia). With -DAPI it
   calls Echelon's own functions beside MPI's. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#ifdef API
#include <echelon/echelon.h>
#define OF_API(call) (wrong += MPI_SUCCESS != echelon_##call)
#else
#define OF_API(call) ((void)0)
#endif

enum { most = 64 };

int main(int argc, char** argv) {
    int rank, p, wrong = 0, sums[4], got[most], sent[most], level;
    if (argc == 1)
        MPI_Init(&argc, &argv);
    else if (strcmp(argv[1], "past") == 0)
        PMPI_Init(&argc, &argv);
    else
        PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    const int ours[4] = {1, 10, 100, 1000};
    MPI_Allreduce(ours, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; ++i) wrong += sums[i] != p * ours[i];

    /* Every rank sends to every other, received in any order. */
    MPI_Request requests[most];
    for (int to = 0; to < p; ++to) {
        sent[to] = 100 * rank + to;
        MPI_Isend(&sent[to], 1, MPI_INT, to, 0, MPI_COMM_WORLD, &requests[to]);
    }
    for (int i = 0; i < p; ++i) {
        MPI_Status status;
        MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        wrong += status.MPI_TAG != 0 || got[i] != 100 * status.MPI_SOURCE + rank;
    }
    for (int to = 0; to < p; ++to) MPI_Wait(&requests[to], MPI_STATUS_IGNORE);

    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (MPI_Comm comm = MPI_COMM_WORLD;; comm = half) {
        int size, one = 1, sum = 0, root_says = rank;
        MPI_Comm_size(comm, &size);
        for (int i = 0; i < 20; ++i) {
            int of_api = size;
            OF_API(allreduce(&one, &of_api, 1, MPI_INT, MPI_SUM, comm));
            OF_API(bcast(&one, 1, MPI_INT, 0, comm));
            OF_API(barrier(comm));
            wrong += of_api != size;
        }
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        wrong += sum != size;
        MPI_Bcast(&root_says, 1, MPI_INT, 0, comm);
        wrong += root_says != (comm == half ? rank % 2 : 0);
        MPI_Barrier(comm);
        if (comm == half) break;
    }
    MPI_Comm_free(&half);
    MPI_Reduce(&wrong, sums, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", sums[0]);
    MPI_Finalize();
    return 0;
}
