/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives by name, for persistent.c and the fuzzer. */
#ifndef KINDS_H
#define KINDS_H

#define KINDS(KIND)      \
    KIND(allreduce)      \
    KIND(reduce)         \
    KIND(bcast)          \
    KIND(barrier)        \
    KIND(gather)         \
    KIND(scatter)        \
    KIND(allgather)      \
    KIND(alltoall)       \
    KIND(reduce_scatter) \
    KIND(reduce_scatter_block) KIND(scan) KIND(exscan)
/* With a count for each rank. */
#define KINDS_WITH_COUNTS(KIND) KIND(gatherv) KIND(scatterv) KIND(allgatherv) KIND(alltoallv)
#define KIND_NAME(kind) kind,
#define KIND_TEXT(kind) #kind,

#endif
