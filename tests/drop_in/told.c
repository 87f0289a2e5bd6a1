/* SPDX-License-Identifier: Apache-2.0 */
/* Info keys that differ on every rank, exist on one rank only, or are equal on all; afterwards every rank
   calls the collectives that the keys name. Prints the number of wrong results. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, p, wrong;

static void use(MPI_Comm comm) {
    for (int i = 0; i < 3; ++i) {
        int sum = 0, data = rank == 1 ? 7 : 0, together = 0;
        MPI_Bcast(&data, 1, MPI_INT, 1, comm);
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
        MPI_Allreduce(&rank, &together, 1, MPI_INT, MPI_SUM, comm);
        wrong += data != 7 || together != p * (p - 1) / 2 || (rank == 0 && sum != together);
    }
}

static MPI_Info told(const char* recipe) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (recipe != NULL) {
        MPI_Info_set(info, "echelon_bcast", recipe);
        MPI_Info_set(info, "echelon_allreduce", recipe);
    }
    return info;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char* const each[] = {"ring", "native", "circulant"};
    const char* const says[] = {each[rank % 3], rank == 1 ? "ring" : NULL, "ring"};
    const char* const names[] = {"each", "one", "all"};
    for (int i = 0; i < 6; ++i) {
        MPI_Comm comm;
        MPI_Info info = told(says[i % 3]);
        if (i < 3) {
            MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
        } else {
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            use(comm); /* used without info keys first */
            MPI_Comm_set_info(comm, info);
        }
        MPI_Info_free(&info);
        char name[20];
        snprintf(name, sizeof name, "%s %d", names[i % 3], i / 3);
        MPI_Comm_set_name(comm, name);
        use(comm);
    }
    int sum = 0;
    PMPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d wrong\n", sum);
    MPI_Finalize();
    return 0;
}
