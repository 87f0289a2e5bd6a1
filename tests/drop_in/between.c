/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives between groups, and with processes that were started later: between LIBRARIES. The started ones
   have LIBRARIES in front ("" for none). Rank 0 prints results. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void show(const char* what, int number) {
    int all = 0;
    PMPI_Reduce(&number, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s %d\n", what, all);
}

/* Every collective between the even and the odd ranks. */
static void between_groups(void) {
    MPI_Comm half, inter;
    const int side = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &inter);
    int own = 0, mine = rank + 1, result = 0;
    MPI_Comm_rank(half, &own);
    const int root = side == 0 ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL; /* the first odd rank */
    for (int round = 0; round < 3; ++round) {
        MPI_Allreduce(&mine, &result, 1, MPI_INT, MPI_SUM, inter);
        show("allreduce", result);
        result = 0;
        MPI_Reduce(&mine, &result, 1, MPI_INT, MPI_SUM, root, inter);
        show("reduce", result);
        result = root == MPI_ROOT ? 42 : 0;
        MPI_Bcast(&result, 1, MPI_INT, root, inter);
        show("bcast", root == MPI_PROC_NULL ? 0 : result);
        MPI_Barrier(inter);
    }
    MPI_Comm both;
    MPI_Intercomm_merge(inter, side, &both);
    MPI_Allreduce(&mine, &result, 1, MPI_INT, MPI_SUM, both);
    show("merged", result);
    MPI_Comm_free(&both);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Parents and children in one communicator. */
static void together(MPI_Comm inter, int children) {
    MPI_Comm all;
    int mine = 1, sum = 0, told = 0, own = 0;
    MPI_Intercomm_merge(inter, children, &all);
    MPI_Comm_rank(all, &own);
    for (int round = 0; round < 3; ++round) {
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
        told = own == 0 ? sum + round : 0;
        MPI_Bcast(&told, 1, MPI_INT, 0, all);
        MPI_Barrier(all);
        if (!children) show("together", told);
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&inter);
}

int main(int argc, char** argv) {
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        together(parent, 1);
    } else {
        between_groups();
#ifdef OPEN_MPI /* Debian's MPICH starts none */
        MPI_Comm children;
        char preload[4096];
        snprintf(preload, sizeof preload, "LD_PRELOAD=%s", argc > 1 ? argv[1] : "");
        char* arguments[] = {preload, argv[0], NULL};
        MPI_Comm_spawn("/usr/bin/env", arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        together(children, 0);
#endif
    }
    MPI_Finalize();
    return 0;
}
