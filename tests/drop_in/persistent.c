/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives in the situations that MPI allows. The library's blocking collectives (PMPI) give
   the right results. Arguments: "freed" frees communicators and datatypes before their requests; "plain"
   starts calls in the same order on all ranks and completes them by MPI_Waitall, because MPICH 4.0.2 and Open
   MPI 4.1.4 do not serve the others; "threads" asks for MPI_THREAD_MULTIPLE; names of collectives leave out
   all others. */
#include "kinds.h"
#include "tell.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

enum kind { KINDS(KIND_NAME) KINDS_WITH_COUNTS(KIND_NAME) kinds };
enum { each = 2, short_count = 3, long_count = 3000, room = 5 * long_count, many = kinds * each };
static const char* const names[] = {KINDS(KIND_TEXT) KINDS_WITH_COUNTS(KIND_TEXT)};

struct call {
    enum kind kind;
    int count, root, counts[16];
    /* The lengths and places of blocks, which lie in reverse order: from this rank to each, and back. */
    int to[16], to_places[16], from[16], from_places[16];
    MPI_Comm comm;
    MPI_Request request;
    int *in, *out, *right;
};

static int rank, size, wrong, plain, used[kinds], used_count;
static long run[kinds]; /* calls that Echelon may count */

static void expect(int is_right, const char* what) {
    if (is_right) return;
    if (++wrong < 20) tell("wrong %d on rank %d: %s\n", wrong, rank, what);
}

static void check(struct call* c, int round) {
    char text[100];
    const int n = c->count, root = c->root;
    switch (c->kind) {
        case allreduce:
            PMPI_Allreduce(c->in, c->right, n, MPI_INT, MPI_SUM, c->comm);
            break;
        case reduce:
            PMPI_Reduce(c->in, c->right, n, MPI_INT, MPI_MAX, root, c->comm);
            break;
        case bcast:
            PMPI_Bcast(c->right, n, MPI_INT, root, c->comm);
            break;
        case barrier:
        case kinds:
            break;
        case gather:
            PMPI_Gather(c->in, n, MPI_INT, c->right, n, MPI_INT, root, c->comm);
            break;
        case scatter:
            PMPI_Scatter(c->in, n, MPI_INT, c->right, n, MPI_INT, root, c->comm);
            break;
        case allgather:
            PMPI_Allgather(c->in, n, MPI_INT, c->right, n, MPI_INT, c->comm);
            break;
        case alltoall:
            PMPI_Alltoall(c->in, n, MPI_INT, c->right, n, MPI_INT, c->comm);
            break;
        case reduce_scatter:
            PMPI_Reduce_scatter(c->in, c->right, c->counts, MPI_INT, MPI_SUM, c->comm);
            break;
        case reduce_scatter_block:
            PMPI_Reduce_scatter_block(c->in, c->right, n, MPI_INT, MPI_SUM, c->comm);
            break;
        case scan:
            PMPI_Scan(c->in, c->right, n, MPI_INT, MPI_SUM, c->comm);
            break;
        case exscan:
            PMPI_Exscan(c->in, c->right, n, MPI_INT, MPI_SUM, c->comm);
            break;
        case gatherv:
            PMPI_Gatherv(c->in, c->from[rank], MPI_INT, c->right, c->from, c->from_places, MPI_INT, root,
                         c->comm);
            break;
        case scatterv:
            PMPI_Scatterv(c->in, c->from, c->from_places, MPI_INT, c->right, c->from[rank], MPI_INT, root,
                          c->comm);
            break;
        case allgatherv:
            PMPI_Allgatherv(c->in, c->from[rank], MPI_INT, c->right, c->from, c->from_places, MPI_INT,
                            c->comm);
            break;
        case alltoallv:
            PMPI_Alltoallv(c->in, c->to, c->to_places, MPI_INT, c->right, c->from, c->from_places, MPI_INT,
                           c->comm);
            break;
    }
    snprintf(text, sizeof text, "%s of %d, round %d", names[c->kind], n, round);
    expect(memcmp(c->out, c->right, room * sizeof(int)) == 0, text);
}

static void init(struct call* c) {
    const int n = c->count, root = c->root;
    const MPI_Info none = MPI_INFO_NULL;
    switch (c->kind) {
        case allreduce:
            INIT(Allreduce)(c->in, c->out, n, MPI_INT, MPI_SUM, c->comm, none, &c->request);
            break;
        case reduce:
            INIT(Reduce)(c->in, c->out, n, MPI_INT, MPI_MAX, root, c->comm, none, &c->request);
            break;
        case bcast:
            INIT(Bcast)(c->out, n, MPI_INT, root, c->comm, none, &c->request);
            break;
        case barrier:
        case kinds:
            INIT(Barrier)(c->comm, none, &c->request);
            break;
        case gather:
            INIT(Gather)(c->in, n, MPI_INT, c->out, n, MPI_INT, root, c->comm, none, &c->request);
            break;
        case scatter:
            INIT(Scatter)(c->in, n, MPI_INT, c->out, n, MPI_INT, root, c->comm, none, &c->request);
            break;
        case allgather:
            INIT(Allgather)(c->in, n, MPI_INT, c->out, n, MPI_INT, c->comm, none, &c->request);
            break;
        case alltoall:
            INIT(Alltoall)(c->in, n, MPI_INT, c->out, n, MPI_INT, c->comm, none, &c->request);
            break;
        case reduce_scatter:
            INIT(Reduce_scatter)(c->in, c->out, c->counts, MPI_INT, MPI_SUM, c->comm, none, &c->request);
            break;
        case reduce_scatter_block:
            INIT(Reduce_scatter_block)(c->in, c->out, n, MPI_INT, MPI_SUM, c->comm, none, &c->request);
            break;
        case scan:
            INIT(Scan)(c->in, c->out, n, MPI_INT, MPI_SUM, c->comm, none, &c->request);
            break;
        case exscan:
            INIT(Exscan)(c->in, c->out, n, MPI_INT, MPI_SUM, c->comm, none, &c->request);
            break;
        case gatherv:
            INIT(Gatherv)
            (c->in, c->from[rank], MPI_INT, c->out, c->from, c->from_places, MPI_INT, root, c->comm, none,
             &c->request);
            break;
        case scatterv:
            INIT(Scatterv)
            (c->in, c->from, c->from_places, MPI_INT, c->out, c->from[rank], MPI_INT, root, c->comm, none,
             &c->request);
            break;
        case allgatherv:
            INIT(Allgatherv)
            (c->in, c->from[rank], MPI_INT, c->out, c->from, c->from_places, MPI_INT, c->comm, none,
             &c->request);
            break;
        case alltoallv:
            INIT(Alltoallv)
            (c->in, c->to, c->to_places, MPI_INT, c->out, c->from, c->from_places, MPI_INT, c->comm, none,
             &c->request);
            break;
    }
}

static void fill(struct call* c, int round) {
    for (int i = 0; i < room; ++i) {
        c->in[i] = rank * 1000003 + i * (round + 1) + (int)c->kind;
        c->out[i] = c->right[i] = c->kind == bcast ? rank * 7 + i + round : -1;
    }
}

static void make(struct call* c, int number, MPI_Comm comm) {
    c->kind = (enum kind)used[number % used_count];
    c->count = number / used_count % 2 ? long_count : short_count;
    c->root = number % size;
    c->comm = comm;
    for (int r = 0; r < size; ++r) {
        const int blocks = c->kind == alltoallv;
        c->counts[r] = c->count;
        c->to[r] = c->count / (1 + (rank + 2 * r) % 3);
        c->from[r] = c->count / (1 + (r + 2 * (blocks ? rank : 0)) % 3);
        c->to_places[r] = c->from_places[r] = (size - 1 - r) * c->count;
    }
    c->in = malloc(room * sizeof(int));
    c->out = malloc(room * sizeof(int));
    c->right = malloc(room * sizeof(int));
    fill(c, -1);
    init(c);
}

static void start(struct call* c) {
    ++run[c->kind];
    MPI_Start(&c->request);
}

static void drop(struct call* c) {
    MPI_Request_free(&c->request);
    expect(c->request == MPI_REQUEST_NULL, "a freed request");
    free(c->in);
    free(c->out);
    free(c->right);
}

/* Calls on two communicators, started in another order on each rank, completed in several ways, beside
   nonblocking and blocking ones. Some are never started, and some are freed and made anew. */
static void many_calls(MPI_Comm one, MPI_Comm other, int rounds) {
    static struct call calls[many];
    for (int i = 0; i < many; ++i) make(&calls[i], i, i % 3 ? one : other);
    for (int round = 0; round < rounds; ++round) {
        MPI_Request requests[many], sum;
        int started = 0, order[many], total = 0, total_now = 0;
        for (int i = 0; i < many; ++i) {
            const int k = plain ? i : rank % 2 ? many - 1 - i : (i + 5 * rank) % many;
            if (k % 7 == 3) continue;
            fill(&calls[k], round);
            order[started++] = k;
        }
        for (int i = 0; i < started; ++i) {
            if (i == started / 2) {
                MPI_Iallreduce(&round, &total, 1, MPI_INT, MPI_SUM, one, &sum);
                MPI_Allreduce(&rank, &total_now, 1, MPI_INT, MPI_SUM, one);
                run[allreduce] += 2;
            }
            start(&calls[order[i]]);
        }
        for (int i = 0; i < started; ++i) requests[i] = calls[order[i]].request;
        if (plain || round % 3 == 0) {
            MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
        } else if (round % 3 == 1) {
            for (int i = started - 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        } else {
            for (int done = 0, i; done < started; ++done)
                MPI_Waitany(started, requests, &i, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
        expect(total == size * round && total_now == size * (size - 1) / 2, "a sum beside persistent calls");
        for (int i = 0; i < started; ++i)
            expect(requests[i] == calls[order[i]].request, "a request has changed");
        for (int i = 0; i < many; ++i)
            if (i % 7 != 3) check(&calls[i], round);
        for (int i = round % 5; i < many; i += 5) {
            drop(&calls[i]);
            make(&calls[i], i, i % 3 ? one : other);
        }
    }
    for (int i = 0; i < many; ++i) drop(&calls[i]);
}

/* Persistent messages and collectives in one MPI_Startall, and tests of active and inactive requests. */
static void beside_messages(MPI_Comm comm) {
    struct call sum, all;
    int to = rank, from = -1, complete = 0;
    MPI_Request requests[4];
    make(&sum, 0, comm);
    make(&all, used_count, comm);
    MPI_Recv_init(&from, 1, MPI_INT, (rank + 1) % size, 3, comm, &requests[0]);
    requests[1] = sum.request;
    MPI_Send_init(&to, 1, MPI_INT, (rank + size - 1) % size, 3, comm, &requests[2]);
    requests[3] = all.request;
    if (!plain) MPI_Wait(&requests[1], MPI_STATUS_IGNORE); /* inactive */
    for (int round = 0; round < 30; ++round) {
        to = rank + round;
        fill(&sum, round);
        fill(&all, round);
        MPI_Startall(4, requests);
        ++run[sum.kind], ++run[all.kind];
        for (complete = plain; !complete;) MPI_Request_get_status(requests[1], &complete, MPI_STATUS_IGNORE);
        for (complete = plain; !complete;) MPI_Testall(4, requests, &complete, MPI_STATUSES_IGNORE);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        expect(from == (rank + 1) % size + round, "a persistent message");
        check(&sum, round);
        check(&all, round);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[2]);
    drop(&sum);
    drop(&all);
}

/* Rank 0 is through with a call that other ranks start after later ones. */
static void far_apart(MPI_Comm comm) {
    struct call first, second;
    make(&first, bcast % used_count, comm);
    make(&second, used_count + bcast % used_count, comm);
    for (int round = 0; round < 10; ++round) {
        fill(&first, round);
        fill(&second, round);
        start(rank == first.root ? &first : &second);
        if (rank == first.root) MPI_Wait(&first.request, MPI_STATUS_IGNORE);
        MPI_Barrier(comm);
        ++run[barrier];
        start(rank == first.root ? &second : &first);
        MPI_Wait(&second.request, MPI_STATUS_IGNORE);
        MPI_Wait(&first.request, MPI_STATUS_IGNORE);
        check(&first, round);
        check(&second, round);
    }
    drop(&first);
    drop(&second);
}

/* Calls without elements, which the library serves, each with a request of its own. */
static void empty(MPI_Comm comm) {
    struct call sum;
    MPI_Request requests[3];
    make(&sum, 0, comm);
    for (int i = 0; i < 2; ++i)
        INIT(Allreduce)(sum.in, sum.out, 0, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[i]);
    requests[2] = sum.request;
    for (int round = 0; round < 3; ++round) {
        fill(&sum, round);
        MPI_Startall(3, requests);
        ++run[sum.kind];
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        check(&sum, round);
    }
    for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
    drop(&sum);
}

/* One int, `ints` of them from the next. */
static MPI_Datatype spread(int ints) {
    MPI_Datatype one, made;
    MPI_Type_contiguous(1, MPI_INT, &one);
    MPI_Type_create_resized(one, 0, ints * (MPI_Aint)sizeof(int), &made);
    MPI_Type_free(&one);
    MPI_Type_commit(&made);
    return made;
}

/* The datatypes are freed before the first start. Open MPI stopped: calls kept only those of receive buffers
   with gaps. */
static void freed_types(MPI_Comm comm, int in_step, int out_step) {
    enum { n = 3, block = 2 * n, ints = 16 * block };
    const enum kind all[] = {bcast, gather, scatter, allgather, alltoall, allgatherv};
    const MPI_Info none = MPI_INFO_NULL;
    int counts[16], places[16];
    for (int r = 0; r < size; ++r) counts[r] = n, places[r] = r * n;
    for (int k = 0; k < (int)(sizeof all / sizeof *all); ++k) {
        const enum kind kind = all[k];
        int in[ints], out[ints];
        MPI_Datatype from = spread(in_step), to = spread(out_step);
        MPI_Request request;
        if (kind == bcast)
            INIT(Bcast)(rank == 0 ? in : out, n, rank == 0 ? from : to, 0, comm, none, &request);
        if (kind == gather) INIT(Gather)(in, n, from, out, n, to, 0, comm, none, &request);
        if (kind == scatter) INIT(Scatter)(in, n, from, out, n, to, 0, comm, none, &request);
        if (kind == allgather) INIT(Allgather)(in, n, from, out, n, to, comm, none, &request);
        if (kind == alltoall) INIT(Alltoall)(in, n, from, out, n, to, comm, none, &request);
        if (kind == allgatherv) INIT(Allgatherv)(in, n, from, out, counts, places, to, comm, none, &request);
        MPI_Type_free(&from);
        MPI_Type_free(&to);
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < ints; ++i) in[i] = 1000 * rank + i + round, out[i] = -1;
            ++run[kind];
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            const int receives = kind == bcast ? rank > 0 : kind != gather || rank == 0;
            const int blocks = kind == bcast || kind == scatter ? 1 : size;
            for (int i = 0; receives && i < n * blocks; ++i) {
                /* The number of this int in the sender's buffer. */
                const int from_rank = blocks > 1 ? i / n : 0;
                const int sent = i % n + (kind == scatter || kind == alltoall ? rank * n : 0);
                expect(out[i * out_step] == 1000 * from_rank + sent * in_step + round, names[kind]);
            }
        }
        MPI_Request_free(&request);
    }
}

/* MPICH refuses to send what it receives in place. Echelon served it, if it kept the datatypes. */
static void aliased(MPI_Comm comm) {
#ifndef OPEN_MPI
    int data[32] = {0};
    MPI_Datatype type = spread(1);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    expect(MPI_Iallgather(data + rank, 1, type, data, 1, type, comm, &request), "an aliased call");
    expect(MPI_Allgather_init(data + rank, 1, type, data, 1, type, comm, MPI_INFO_NULL, &request),
           "an aliased persistent call");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Type_free(&type);
#else
    (void)comm;
#endif
}

/* The communicator is freed before the first start, and on some ranks while the call is under way. */
static void freed_communicator(void) {
    struct call early, late, never;
    MPI_Comm copy;
    for (int round = 0; round < 20; ++round) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        make(&early, used_count, copy);
        make(&late, used_count + alltoall, copy);
        make(&never, scan, copy);
        fill(&early, round);
        fill(&late, round);
        if (rank % 2) MPI_Start(&early.request);
        MPI_Comm_free(&copy);
        if (rank % 2 == 0) MPI_Start(&early.request);
        MPI_Start(&late.request);
        MPI_Wait(&early.request, MPI_STATUS_IGNORE);
        MPI_Wait(&late.request, MPI_STATUS_IGNORE);
        early.comm = late.comm = MPI_COMM_WORLD;
        check(&early, round);
        check(&late, round);
        drop(&early);
        drop(&late);
        drop(&never);
    }
}

/* A communicator without other calls. Its end crashed: the summary asked for its ranks after it was freed. */
static void on_idle_communicator(void) {
    struct call only;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    make(&only, 0, copy);
    fill(&only, 0);
    start(&only);
    MPI_Wait(&only.request, MPI_STATUS_IGNORE);
    check(&only, 0);
    drop(&only);
    MPI_Comm_free(&copy);
}

/* More requests than a communicator has tags. */
static void very_many(MPI_Comm comm) {
    struct call kept;
    MPI_Request request;
    make(&kept, 0, comm);
    for (int i = 0; i < 12000; ++i) {
        INIT(Barrier)(comm, MPI_INFO_NULL, &request);
        if (i % 1000 == 0) {
            ++run[barrier];
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    }
    fill(&kept, 0);
    start(&kept);
    MPI_Wait(&kept.request, MPI_STATUS_IGNORE);
    check(&kept, 0);
    drop(&kept);
}

int main(int argc, char** argv) {
    static struct call forgotten;
    MPI_Comm copy;
    int level = MPI_THREAD_SINGLE, frees = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "threads") == 0) level = MPI_THREAD_MULTIPLE;
        frees |= strcmp(argv[i], "freed") == 0;
        plain |= strcmp(argv[i], "plain") == 0;
        for (int kind = 0; kind < kinds; ++kind)
            if (strcmp(argv[i], names[kind]) == 0) used[used_count++] = kind;
    }
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (used_count == 0)
        while (used_count < kinds) used[used_count] = used_count, ++used_count;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    many_calls(MPI_COMM_WORLD, copy, 12);
    beside_messages(MPI_COMM_WORLD);
    if (!plain) far_apart(copy);
    empty(copy);
    on_idle_communicator();
    if (frees) {
        for (int steps = 0; steps < 4; ++steps) freed_types(copy, 1 + steps / 2, 1 + steps % 2);
        aliased(copy);
        freed_communicator();
    }
    if (!plain) very_many(copy);
    make(&forgotten, 0, copy);
    fill(&forgotten, 0);
    start(&forgotten);
    MPI_Wait(&forgotten.request, MPI_STATUS_IGNORE);
    check(&forgotten, 0);
    MPI_Comm_free(&copy);
    if (rank == 0) {
        run[reduce_scatter] += run[reduce_scatter_block];
        run[gather] += run[gatherv];
        run[scatter] += run[scatterv];
        run[allgather] += run[allgatherv];
        run[alltoall] += run[alltoallv];
        for (int kind = 0; kind < kinds; ++kind) tell("%s %ld\n", names[kind], run[kind]);
    }
    MPI_Finalize();
    return wrong != 0;
}
