/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of turns and series: MPI_X, which passes through a library in front, or PMPI_X, which does not.
   Sums of doubles, root 0. A barrier ignores its length. `count` is that of a block: all elements of a rank
   in an allreduce, reduce, bcast or scan; in other collectives the elements of one rank for one other. In a
   gatherv, scatterv or alltoallv, `count` is the longest block, and the shortest has half of it. */
#pragma once

#include "bench/named_call.h"

#include <mpi.h>
#include <stdlib.h>

enum collective {
    allreduce,
    reduce,
    bcast,
    allgather,
    alltoall,
    gather,
    scatter,
    reduce_scatter,
    scan,
    barrier,
    gatherv,
    scatterv,
    alltoallv,
    none
};
static const char* const names[] = {"allreduce", "reduce",   "bcast",          "allgather", "alltoall",
                                    "gather",    "scatter",  "reduce_scatter", "scan",      "barrier",
                                    "gatherv",   "scatterv", "alltoallv"};

static int is_vector(enum collective which) {
    return which == gatherv || which == scatterv || which == alltoallv;
}

/* Elements of the block from one rank to another in a call with lengths of blocks. */
static int length(int from, int to, int count) { return count - (from + to) % 3 * (count / 4); }

static void call_vector(enum collective which, int in_front, int rank, double* in, double* out, int count,
                        MPI_Comm comm) {
    const MPI_Datatype type = MPI_DOUBLE;
    int ranks;
    MPI_Comm_size(comm, &ranks);
    int* const counts = malloc(2 * (size_t)ranks * sizeof(int));
    int* const places = counts + ranks;
    for (int i = 0; i < ranks; ++i) {
        counts[i] = length(i, which == alltoallv ? rank : 0, count);
        places[i] = i * count;
    }
    const int own = length(rank, 0, count);
    if (which == gatherv)
        (in_front ? MPI_Gatherv : PMPI_Gatherv)(in, own, type, out, counts, places, type, 0, comm);
    else if (which == scatterv)
        (in_front ? MPI_Scatterv : PMPI_Scatterv)(in, counts, places, type, out, own, type, 0, comm);
    else
        (in_front ? MPI_Alltoallv : PMPI_Alltoallv)(in, counts, places, type, out, counts, places, type,
                                                    comm);
    free(counts);
}

static void call(enum collective which, int in_front, int rank, double* in, double* out, int count,
                 MPI_Comm comm) {
    const MPI_Datatype type = MPI_DOUBLE;
    switch (which) {
        case allreduce:
            (in_front ? MPI_Allreduce : PMPI_Allreduce)(in, out, count, type, MPI_SUM, comm);
            break;
        case reduce:
            (in_front ? MPI_Reduce : PMPI_Reduce)(in, out, count, type, MPI_SUM, 0, comm);
            break;
        case bcast:
            (in_front ? MPI_Bcast : PMPI_Bcast)(rank == 0 ? in : out, count, type, 0, comm);
            break;
        case allgather:
            (in_front ? MPI_Allgather : PMPI_Allgather)(in, count, type, out, count, type, comm);
            break;
        case alltoall:
            (in_front ? MPI_Alltoall : PMPI_Alltoall)(in, count, type, out, count, type, comm);
            break;
        case gather:
            (in_front ? MPI_Gather : PMPI_Gather)(in, count, type, out, count, type, 0, comm);
            break;
        case scatter:
            (in_front ? MPI_Scatter : PMPI_Scatter)(in, count, type, out, count, type, 0, comm);
            break;
        case reduce_scatter:
            (in_front ? MPI_Reduce_scatter_block : PMPI_Reduce_scatter_block)(in, out, count, type, MPI_SUM,
                                                                              comm);
            break;
        case scan:
            (in_front ? MPI_Scan : PMPI_Scan)(in, out, count, type, MPI_SUM, comm);
            break;
        case barrier:
            (in_front ? MPI_Barrier : PMPI_Barrier)(comm);
            break;
        case gatherv:
        case scatterv:
        case alltoallv:
            call_vector(which, in_front, rank, in, out, count, comm);
            break;
        case none:
            break;
    }
}

/* Blocks of `count` elements that buffers must hold: equal on all ranks. */
static int blocks_in(enum collective which, int ranks) {
    return which == alltoall || which == scatter || which == reduce_scatter || which == scatterv ||
                   which == alltoallv
               ? ranks
               : 1;
}
static int blocks_out(enum collective which, int ranks) {
    return which == allgather || which == alltoall || which == gather || which == gatherv ||
                   which == alltoallv
               ? ranks
               : 1;
}

/* True if a call leaves a result in `out` on this rank; it then fills all of `out`. */
static int has_result(enum collective which, int rank) {
    return which == reduce || which == gather || which == gatherv
               ? rank == 0
               : which != barrier && (which != bcast || rank != 0);
}

static double input(int rank, long i) { return 1.0 + rank + (double)i; }

static double sum_of_first(int ranks, long i) {
    return ranks * (1.0 + (double)i) + ranks * (ranks - 1) / 2.0;
}

/* Correct element `i` of `out` if each rank's inputs are input(rank, 0), input(rank, 1), ... */
static double expected(enum collective which, int rank, int ranks, int count, long i) {
    const int block = (int)(i / count);
    const long place = i % count, own = (long)rank * count + place;
    /* Behind a shorter block nothing arrives. */
    if (is_vector(which) &&
        place >= length(which == scatterv ? rank : block, which == alltoallv ? rank : 0, count))
        return 0;
    switch (which) {
        case bcast:
            return input(0, i);
        case allgather:
        case gather:
        case gatherv:
            return input(block, place);
        case alltoall:
        case alltoallv:
            return input(block, own);
        case scatter:
        case scatterv:
            return input(0, own);
        case reduce_scatter:
            return sum_of_first(ranks, own);
        case scan:
            return sum_of_first(rank + 1, i);
        default:
            return sum_of_first(ranks, i);
    }
}

static int is_right(enum collective which, int rank, int ranks, int count, const double* out) {
    const long all = (long)count * blocks_out(which, ranks);
    for (long i = 0; i < all && has_result(which, rank); ++i)
        if (out[i] != expected(which, rank, ranks, count, i)) return 0;
    return 1;
}
