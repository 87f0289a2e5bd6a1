/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of turns and series: MPI_X, which comes through a library in front, or PMPI_X, which does not.
   Sums of doubles, root 0. */
#pragma once

#include "bench/named_call.h"

#include <mpi.h>

enum collective { allreduce, reduce, bcast, none };
static const char* const names[] = {"allreduce", "reduce", "bcast"};

static void call(enum collective which, int in_front, int is_root, double* in, double* out, int count,
                 MPI_Comm comm) {
    if (which == allreduce)
        (in_front ? MPI_Allreduce : PMPI_Allreduce)(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
    else if (which == reduce)
        (in_front ? MPI_Reduce : PMPI_Reduce)(in, out, count, MPI_DOUBLE, MPI_SUM, 0, comm);
    else
        (in_front ? MPI_Bcast : PMPI_Bcast)(is_root ? in : out, count, MPI_DOUBLE, 0, comm);
}

/* Whether a call leaves a result there. */
static int has_result(enum collective which, int is_root) {
    return which == allreduce || (which == reduce) == (is_root != 0);
}
