/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_THREAD_MULTIPLE: each thread has a communicator of its own, calls collectives on it, and makes and
   frees more, all at once: threads THREADS ROUNDS [nonblocking [persistent]]. They make them from the world's
   groups: Open MPI hangs if threads make communicators of communicators concurrently. A second thread
   completes nonblocking collectives, and starts and completes persistent ones, beside the first. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

enum { most_threads = 16, most = 400, many = 12 };

struct Worker {
    MPI_Comm comm;
    int rounds, number, starts, persists, wrong;
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

static void* complete(void* requests) {
    MPI_Waitall(many / 2, requests, MPI_STATUSES_IGNORE);
    return NULL;
}

/* Many calls under way, half of which another thread completes. */
static int check_nonblocking(MPI_Comm comm, int count, int round) {
    static const int long_count = 20000;
    int* const in = malloc(sizeof(int) * long_count);
    int *out[many], rank = 0, size = 0, wrong = 0, lengths[many];
    MPI_Request requests[many];
    pthread_t other;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < long_count; ++i) in[i] = rank + i;
    for (int k = 0; k < many; ++k) {
        lengths[k] = k % 4 == 3 ? long_count : count;
        out[k] = malloc(sizeof(int) * long_count);
        for (int i = 0; i < lengths[k]; ++i) out[k][i] = rank == k % size ? i + round : -1;
        if (k % 3 == 0)
            MPI_Ibcast(out[k], lengths[k], MPI_INT, k % size, comm, &requests[k]);
        else
            MPI_Iallreduce(in, out[k], lengths[k], MPI_INT, MPI_SUM, comm, &requests[k]);
    }
    pthread_create(&other, NULL, complete, requests);
    for (int done = 0, k; done < many - many / 2; ++done)
        if (round % 2)
            MPI_Waitany(many - many / 2, requests + many / 2, &k, MPI_STATUS_IGNORE);
        else
            for (int flag = 0; !flag;) MPI_Test(&requests[many - 1 - done], &flag, MPI_STATUS_IGNORE);
    pthread_join(other, NULL);
    for (int k = 0; k < many; ++k) {
        for (int i = 0; i < lengths[k]; ++i)
            wrong += out[k][i] != (k % 3 == 0 ? i + round : size * (size - 1) / 2 + size * i);
        free(out[k]);
    }
    free(in);
    return wrong;
}

/* Two threads start and complete a persistent call each of one communicator. */
struct Again {
    MPI_Request request;
    int in[most], out[most], rank, size, rounds, wrong;
};

static void* start_again(void* argument) {
    struct Again* const again = argument;
    for (int round = 0; round < again->rounds; ++round) {
        for (int i = 0; i < most; ++i) again->in[i] = again->rank + i + round;
        MPI_Start(&again->request);
        MPI_Wait(&again->request, MPI_STATUS_IGNORE);
        for (int i = 0; i < most; ++i)
            again->wrong += again->out[i] != again->size * (again->size - 1) / 2 + again->size * (i + round);
    }
    return NULL;
}

static int check_persistent(MPI_Comm comm, int rounds) {
    struct Again* const two = calloc(2, sizeof *two);
    pthread_t other;
    for (int k = 0; k < 2; ++k) {
        two[k].rounds = rounds;
        MPI_Comm_rank(comm, &two[k].rank);
        MPI_Comm_size(comm, &two[k].size);
        INIT(Allreduce)(two[k].in, two[k].out, most, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &two[k].request);
    }
    /* On each rank another thread takes the first. */
    pthread_create(&other, NULL, start_again, &two[two[0].rank % 2]);
    start_again(&two[1 - two[0].rank % 2]);
    pthread_join(other, NULL);
    const int wrong = two[0].wrong + two[1].wrong;
    for (int k = 0; k < 2; ++k) MPI_Request_free(&two[k].request);
    free(two);
    return wrong;
}

/* The root of a bcast sends more than the others expect. Their error handlers start calls, and wait for a
   thread that starts some. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm receivers;
static MPI_Request sum_request;
static int one = 1, sum, handled;

static void on_error(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    pthread_mutex_lock(&mutex);
    ++handled;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, receivers, &sum_request);
    pthread_mutex_unlock(&mutex);
}

static int check_errors(int rounds) {
    int rank = 0, size = 0, wrong = 0, data[100] = {0}, sums[many];
    MPI_Comm comm, beside;
    MPI_Errhandler handler;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &receivers);
    MPI_Comm_dup(MPI_COMM_WORLD, &beside);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH 4.0.2 asks it about any message */
    for (int round = 0; round < rounds; ++round) {
        MPI_Request request, requests[many];
        handled = sum = 0;
        MPI_Ibcast(data, rank == 0 ? 100 : 50, MPI_INT, 0, comm, &request);
        pthread_mutex_lock(&mutex);
        for (int k = 0; k < many; ++k)
            MPI_Iallreduce(&one, &sums[k], 1, MPI_INT, MPI_SUM, beside, &requests[k]);
        pthread_mutex_unlock(&mutex);
        const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < many; ++k) wrong += sums[k] != size;
        if (rank == 0) continue;
        wrong += handled != 1 || code == MPI_SUCCESS;
        MPI_Wait(&sum_request, MPI_STATUS_IGNORE);
        wrong += sum != size - 1;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&beside);
    MPI_Comm_free(&receivers);
    return wrong;
}

static void* work(void* argument) {
    struct Worker* const worker = argument;
    if (worker->persists) worker->wrong += check_persistent(worker->comm, 10 * worker->rounds);
    for (int round = 0; round < worker->rounds; ++round) {
        worker->wrong += check(worker->comm, round % 3 == 0 ? most : 1 + round % 7, round);
        if (worker->starts) worker->wrong += check_nonblocking(worker->comm, 1 + round % 7, round);
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
            if (worker->starts) worker->wrong += check_nonblocking(made, 5, round);
            MPI_Comm_free(&made);
        }
        MPI_Group_free(&low);
        MPI_Group_free(&world);
    }
    return NULL;
}

int main(int argc, char** argv) {
    const int starts = argc > 3, persists = argc > 4, threads = argc > 1 ? atoi(argv[1]) : 4,
              rounds = argc > 2 ? atoi(argv[2]) : 20;
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
        workers[i] = (struct Worker){MPI_COMM_WORLD, rounds, i, starts, persists, 0};
        if (i + 1 < threads) MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
    }
    for (int i = 0; i < threads; ++i) pthread_create(&handles[i], NULL, work, &workers[i]);
    for (int i = 0; i < threads; ++i) {
        pthread_join(handles[i], NULL);
        wrong += workers[i].wrong;
        if (i + 1 < threads) MPI_Comm_free(&workers[i].comm);
    }
    if (starts) wrong += check_errors(10 * rounds);
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d threads, %d wrong\n", threads, all_wrong);
    MPI_Finalize();
    return all_wrong != 0;
}
