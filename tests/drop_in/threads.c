/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_THREAD_MULTIPLE: each thread has a communicator of its own, calls collectives on it, and makes and
   frees more, all at once: threads THREADS ROUNDS. They make them from the world's groups: Open MPI hangs if
   threads make communicators of communicators concurrently. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_threads = 16, most = 400 };

struct Worker {
    MPI_Comm comm;
    int rounds, number, wrong;
};

static int check(MPI_Comm comm, int count, int round) {
    int in[most], out[most], rank = 0, size = 0, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int root = round % size, sum = size * (size - 1) / 2;
    for (int i = 0; i < count; ++i) in[i] = rank + i;
    MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < count; ++i) wrong += out[i] != sum + size * i;
    MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; rank == root && i < count; ++i) wrong += out[i] != sum + size * i;
    for (int i = 0; i < count; ++i) out[i] = rank == root ? round + i : -1;
    MPI_Bcast(out, count, MPI_INT, root, comm);
    for (int i = 0; i < count; ++i) wrong += out[i] != round + i;
    MPI_Barrier(comm);
    return wrong;
}

static void* work(void* argument) {
    struct Worker* const worker = argument;
    for (int round = 0; round < worker->rounds; ++round) {
        worker->wrong += check(worker->comm, round % 3 == 0 ? most : 1 + round % 7, round);
        MPI_Group world, low;
        MPI_Comm made;
        int rank = 0, size = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_size(world, &size);
        const int members = round % 2 == 0 ? size : size - 1;
        MPI_Group_range_incl(world, 1, (int[1][3]){{0, members - 1, 1}}, &low);
        if (rank < members) {
            MPI_Comm_create_group(MPI_COMM_WORLD, low, worker->number, &made);
            worker->wrong += check(made, 5, round);
            MPI_Comm_free(&made);
        }
        MPI_Group_free(&low);
        MPI_Group_free(&world);
    }
    return NULL;
}

int main(int argc, char** argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 4, rounds = argc > 2 ? atoi(argv[2]) : 20;
    int provided = 0, rank = 0, wrong = 0, all_wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE || threads > most_threads) {
        if (rank == 0) printf("the library offers no MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 0;
    }
    pthread_t handles[most_threads];
    struct Worker workers[most_threads];
    /* The last works on the world itself. */
    for (int i = 0; i < threads; ++i) {
        workers[i] = (struct Worker){MPI_COMM_WORLD, rounds, i, 0};
        if (i + 1 < threads) MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
    }
    for (int i = 0; i < threads; ++i) pthread_create(&handles[i], NULL, work, &workers[i]);
    for (int i = 0; i < threads; ++i) {
        pthread_join(handles[i], NULL);
        wrong += workers[i].wrong;
        if (i + 1 < threads) MPI_Comm_free(&workers[i].comm);
    }
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d threads, %d wrong\n", threads, all_wrong);
    MPI_Finalize();
    return all_wrong != 0;
}
