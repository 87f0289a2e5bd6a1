/* SPDX-License-Identifier: Apache-2.0 */
/* In front of Echelon: counts the calls of rank 0 before the end of MPI_Init in which a waiting MPICH keeps
   its processor. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int collectives, splits;

#define COUNTS(counter, name, parameters, arguments)                \
    int name parameters {                                           \
        static int(*next) parameters;                               \
        if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, #name); \
        ++counter;                                                  \
        return next arguments;                                      \
    }
COUNTS(collectives, PMPI_Allreduce, (const void* in, void* out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
       (in, out, n, t, op, c))
COUNTS(collectives, PMPI_Allgather,
       (const void* in, int n, MPI_Datatype t, void* out, int m, MPI_Datatype u, MPI_Comm c),
       (in, n, t, out, m, u, c))
COUNTS(collectives, PMPI_Bcast, (void* data, int n, MPI_Datatype t, int root, MPI_Comm c),
       (data, n, t, root, c))
COUNTS(collectives, PMPI_Barrier, (MPI_Comm c), (c))
COUNTS(collectives, PMPI_Recv,
       (void* data, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s),
       (data, n, t, from, tag, c, s))
COUNTS(splits, PMPI_Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info info, MPI_Comm* made),
       (c, type, key, info, made))

int MPI_Init(int* argc, char*** argv) {
    static int (*next)(int*, char***);
    int rank = 0;
    *(void**)&next = dlsym(RTLD_NEXT, "MPI_Init");
    const int code = next(argc, argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fprintf(stderr, "kept: %d collectives, %d splits\n", collectives, splits);
    return code;
}
