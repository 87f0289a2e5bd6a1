/* SPDX-License-Identifier: Apache-2.0 */
/* Open MPI 4.1.4, 3 ranks: a communicator that MPI_Comm_create_group makes of one with a topology inherits
   that topology, although its ranks differ: in a graph, senders and receivers do not match, and collectives
   with the neighbours hang. MPI_Comm_create is right. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int wrong = 0;
    MPI_Comm line, made[2];
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){3}, (int[]){0}, 0, &line);
    MPI_Group all, turned;
    MPI_Comm_group(line, &all);
    MPI_Group_incl(all, 3, (int[]){1, 2, 0}, &turned);
    MPI_Comm_create(line, turned, &made[0]);
    MPI_Comm_create_group(line, turned, 7, &made[1]);
    for (int i = 0; i < 2; ++i) {
        int topology;
        MPI_Topo_test(made[i], &topology);
        printf("%s: %s\n", i == 0 ? "create" : "create_group",
               topology == MPI_UNDEFINED ? "no topology" : "a topology");
        wrong += topology != MPI_UNDEFINED;
        MPI_Comm_free(&made[i]);
    }
    MPI_Group_free(&turned);
    MPI_Group_free(&all);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return wrong;
}
