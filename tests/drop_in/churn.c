/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators that come and go: churn MADE ALIVE. Makes, uses and frees MADE of them, one after the other,
   then holds ALIVE at once, each used with a short and a long vector. Prints by how many KiB the memory of
   the largest rank grew in the last four fifths of the first part. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { most = 1000 };
static int rank, size, wrong;

static long resident_kib(void) {
    long pages = 0, resident = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) exit(3);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void use(MPI_Comm comm, int count) {
    static long in[most], out[most];
    int own = 0, p = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < count; ++i) in[i] = own + i;
    MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm);
    for (int i = 0; i < count; ++i) wrong += out[i] != (long)p * (p - 1) / 2 + (long)p * i;
}

int main(int argc, char** argv) {
    const int made = argc > 1 ? atoi(argv[1]) : 1000, alive = argc > 2 ? atoi(argv[2]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long before = 0;
    const double start = MPI_Wtime();
    for (int i = 0; i < made; ++i) {
        MPI_Comm comm;
        if (made >= 5 && i % (made / 5) == 0 && rank == 0)
            fprintf(stderr, "%d made: %ld KiB\n", i, resident_kib());
        if (i == made / 5) before = resident_kib();
        if (i % 2 == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, rank == i % size, i % 3 == 0 ? -rank : rank, &comm);
        use(comm, i % 5 == 0 ? 300 : 1);
        MPI_Comm_free(&comm);
    }
    long grown = resident_kib() - before, most_grown = 0;
    const double seconds = MPI_Wtime() - start;
    PMPI_Reduce(&grown, &most_grown, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);

    MPI_Comm* const comms = malloc((size_t)alive * sizeof *comms);
    for (int i = 0; i < alive; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < alive; ++i) {
            use(comms[i], 1);
            use(comms[i], most);
        }
    int step = 7; /* an arbitrary order that frees each once */
    while (alive % step == 0) step += 2;
    for (int i = 0; i < alive; ++i) MPI_Comm_free(&comms[(long)i * step % alive]);
    free(comms);
    use(MPI_COMM_WORLD, most);
    int all_wrong = 0;
    PMPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fprintf(stderr, "%.1f us a communicator\n", 1e6 * seconds / (made > 0 ? made : 1));
        printf("%d wrong, grown by %ld KiB\n", all_wrong, most_grown);
    }
    MPI_Finalize();
    return all_wrong != 0;
}
