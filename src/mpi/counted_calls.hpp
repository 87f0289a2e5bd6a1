// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The collectives with one count per buffer, for `CALL(Name, name, NAME, FORM)`: MPI's name, ours, Fortran's
/// in capitals, and the form of the arguments (mpi/calls.hpp). All bindings are made from this list. Not in
/// the list: barrier, which has no count, and reduce_scatter, which has one for each rank.
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
