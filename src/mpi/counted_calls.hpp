// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The collectives with one count per buffer, for `CALL(Name, name, NAME, FORM)`: MPI's name, ours, Fortran's
/// in capitals, and the form of the arguments (mpi/calls.hpp). All bindings are made from this list. Not in
/// the list: barrier, which has no count, and ECHELON_BLOCK_CALLS.
#define ECHELON_COUNTED_CALLS(CALL)                                                 \
    CALL(Allreduce, allreduce, ALLREDUCE, COMBINE)                                  \
    CALL(Reduce, reduce, REDUCE, COMBINE_AT_ROOT)                                   \
    CALL(Bcast, bcast, BCAST, MOVE)                                                 \
    CALL(Gather, gather, GATHER, EXCHANGE_AT_ROOT)                                  \
    CALL(Scatter, scatter, SCATTER, EXCHANGE_AT_ROOT)                               \
    CALL(Allgather, allgather, ALLGATHER, EXCHANGE)                                 \
    CALL(Alltoall, alltoall, ALLTOALL, EXCHANGE)                                    \
    CALL(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, COMBINE) \
    CALL(Scan, scan, SCAN, COMBINE)                                                 \
    CALL(Exscan, exscan, EXSCAN, COMBINE)

/// The collectives with one count for each rank, in the same way. Counts are ints, or of type MPI_Count in
/// the names that end with _c.
#define ECHELON_BLOCK_CALLS(CALL)                                           \
    CALL(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, COMBINE_TO_BLOCKS) \
    CALL(Gatherv, gatherv, GATHERV, BLOCKS_TO_ROOT)                         \
    CALL(Scatterv, scatterv, SCATTERV, BLOCKS_FROM_ROOT)                    \
    CALL(Allgatherv, allgatherv, ALLGATHERV, EXCHANGE_BLOCKS)               \
    CALL(Alltoallv, alltoallv, ALLTOALLV, EXCHANGE_OWN_BLOCKS)
