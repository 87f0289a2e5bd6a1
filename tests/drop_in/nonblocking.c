/* SPDX-License-Identifier: Apache-2.0 */
/* Nonblocking collectives in the situations that MPI allows; every result is checked. Arguments: "freed"
   frees a communicator before its calls have ended; "threads" asks for MPI_THREAD_MULTIPLE. */
#include "tell.h"

#include <mpi.h>
#include <string.h>

enum { many = 60, longest = 20000 };
static int rank, size, wrong;

static void expect(int right, const char* what) {
    if (right) return;
    ++wrong;
    tell("rank %d: %s\n", rank, what);
}

static int sum_of(int value) { return size * value + size * (size - 1) / 2; }

/* Barriers, in which rank 0 tells the choice of a profile for the calls between them. */
static void between_barriers(void) {
    static int in[longest], out[longest];
    MPI_Request request;
    for (int round = 0; round < 8; ++round) {
        for (int count = 3; count <= longest; count += longest - 3) {
            in[count - 1] = rank;
            MPI_Iallreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            expect(out[count - 1] == sum_of(0), "a sum between barriers is wrong");
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Many calls under way on one communicator, completed in another order. */
static void many_at_once(MPI_Comm comm) {
    static int in[many][longest], out[many][longest];
    MPI_Request requests[many];
    for (int round = 0; round < 6; ++round) {
        const int count = round % 2 ? longest : 3;
        for (int i = 0; i < many; ++i) {
            for (int j = 0; j < count; ++j) in[i][j] = rank + i + j;
            MPI_Iallreduce(in[i], out[i], count, MPI_INT, MPI_SUM, comm, &requests[i]);
        }
        for (int done = 0, i; done < many; ++done) {
            if (round % 3 == 0)
                MPI_Wait(&requests[i = many - 1 - done], MPI_STATUS_IGNORE);
            else
                MPI_Waitany(many, requests, &i, MPI_STATUS_IGNORE);
            for (int j = 0; j < count; ++j)
                if (out[i][j] != sum_of(i + j)) {
                    expect(0, "a sum is wrong");
                    break;
                }
        }
    }
}

/* A rank that waits for a message of its own still serves the others. */
static void inside_other_calls(void) {
    static int in[longest], out[longest];
    MPI_Request request;
    int told = -1;
    for (int j = 0; j < longest; ++j) in[j] = rank;
    MPI_Iallreduce(in, out, longest, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Recv(&told, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == size - 1) MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    expect(rank != 0 || told == size - 1, "a message is wrong");
    expect(out[longest - 1] == sum_of(0), "a sum beside a message is wrong");
}

/* A rank that waits in a barrier still serves a call of ranks that come to the barrier behind it. */
static void beside_a_barrier(void) {
    static int in[longest], out[longest];
    MPI_Request request;
    for (int round = 0; round < 20; ++round) {
        for (int j = 0; j < longest; ++j) in[j] = rank + round;
        MPI_Iallreduce(in, out, longest, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        if (rank == round % size) MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank != round % size) MPI_Barrier(MPI_COMM_WORLD);
        expect(out[longest - 1] == sum_of(round), "a sum beside a barrier is wrong");
    }
}

/* Blocking and nonblocking calls in turns, and a datatype that is freed at once. */
static void mixed(MPI_Comm comm) {
    int data[64], all[64], sum = 0, complete = 0;
    int counts[16], places[16], blocks[96], mine[16];
    MPI_Request requests[4];
    MPI_Datatype fourth, second;
    for (int i = 0; i < 64; ++i) data[i] = rank == 1 ? i : -1;
    MPI_Type_vector(16, 1, 4, MPI_INT, &fourth);
    MPI_Type_commit(&fourth);
    MPI_Ibcast(data, 1, fourth, 1, comm, &requests[0]);
    MPI_Type_free(&fourth);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Ibarrier(comm, &requests[1]);
    MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm, &requests[2]);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &second);
    MPI_Type_commit(&second);
    for (int i = 0; i < 96; ++i) blocks[i] = -1;
    for (int r = 0; r < 16; ++r) counts[r] = 2 * r, places[r] = 10 * (size - 1 - r), mine[r] = 100 * rank + r;
    MPI_Iallgatherv(mine, 2 * rank, MPI_INT, blocks, counts, places, second, comm, &requests[3]);
    MPI_Type_free(&second);
    MPI_Barrier(comm);
    while (!complete) MPI_Request_get_status(requests[2], &complete, MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    expect(sum == sum_of(0), "a blocking sum is wrong");
    for (int i = 0; i < 64; ++i) expect(data[i] == (i % 4 == 0 || rank == 1 ? i : -1), "a bcast is wrong");
    for (int i = 0; i < size; ++i) expect(all[i] == i, "an allgather is wrong");
    for (int i = 0; i < 20 * size; ++i) {
        const int owner = size - 1 - i / 20, at = i % 20 / 2;
        const int is_data = i % 2 == 0 && at < 2 * owner;
        expect(blocks[i] == (is_data ? 100 * owner + at : -1), "an allgatherv is wrong");
    }
}

/* The communicator is freed before its calls have ended. */
static void freed_early(void) {
    static int in[longest], out[2][longest];
    MPI_Request requests[2];
    MPI_Comm copy;
    for (int j = 0; j < longest; ++j) in[j] = rank + j;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 2; ++i) MPI_Iallreduce(in, out[i], longest, MPI_INT, MPI_SUM, copy, &requests[i]);
    MPI_Comm_free(&copy);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int j = 0; j < longest; ++j)
        if (out[0][j] != sum_of(j) || out[1][j] != sum_of(j)) {
            expect(0, "a sum on a freed communicator is wrong");
            break;
        }
}

int main(int argc, char** argv) {
    MPI_Comm half;
    int level = MPI_THREAD_SINGLE, frees = 0;
    for (int i = 1; i < argc; ++i) {
        frees |= strcmp(argv[i], "freed") == 0;
        if (strcmp(argv[i], "threads") == 0) level = MPI_THREAD_MULTIPLE;
    }
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    between_barriers();
    many_at_once(MPI_COMM_WORLD);
    inside_other_calls();
    beside_a_barrier();
    mixed(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &half);
    many_at_once(half);
    mixed(half);
    MPI_Comm_free(&half);
    if (frees) freed_early();
    if (rank == 0) tell("%d wrong\n", wrong);
    MPI_Finalize();
    return wrong != 0;
}
