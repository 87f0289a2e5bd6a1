/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators that come and go: churn MADE ALIVE [CALLS]. Makes, uses and frees MADE of them, one after the
   other, each used by one allreduce and by CALLS calls of several collectives, half of them on
   MPI_COMM_WORLD. Then it holds ALIVE at once, each used with a short and a long vector. Prints by how many
   KiB the memory of the largest rank grew in the last four fifths of the first part, and by how many its
   open files. */
#include <dirent.h>
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

static long open_files(void) {
    long files = 0;
    DIR* const folder = opendir("/proc/self/fd");
    if (folder == NULL) exit(3);
    while (readdir(folder) != NULL) ++files;
    closedir(folder);
    return files - 3; /* without the folder's own, "." and ".." */
}

static void show(int made) {
    if (rank == 0) fprintf(stderr, "%d made: %ld KiB, %ld open files\n", made, resident_kib(), open_files());
}

/* The collectives in turn, of some lengths up to a few KiB; MPI_Allreduce is the most frequent. */
static void call(MPI_Comm comm, int own, int p, int i) {
    static long in[4 * most], out[4 * most];
    const int count = 1 + (i * 7) % (i % 16 == 0 ? most : 40) / p, root = i % p;
    for (int j = 0; j < 4; ++j) in[j * (count - 1) / 3] = own + i;
    long sum = (long)p * (p - 1) / 2 + (long)p * i, got = sum;
    switch (i % 6) {
        case 0:
            MPI_Bcast(in, count, MPI_LONG, root, comm), got += in[count - 1] - root - i;
            break;
        case 1:
            MPI_Allgather(in, count, MPI_LONG, out, count, MPI_LONG, comm), got += out[0] - i;
            break;
        case 2:
            for (int to = 0; to < p; ++to) in[to] = own + i;
            MPI_Alltoall(in, 1, MPI_LONG, out, 1, MPI_LONG, comm), got += out[p - 1] - (p - 1) - i;
            break;
        case 3:
            MPI_Reduce(in, out, count, MPI_LONG, MPI_SUM, root, comm);
            if (own == root) got = out[count - 1];
            break;
        default:
            MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm), got = out[count - 1];
    }
    wrong += got != sum;
}

static void call_often(MPI_Comm comm, int calls) {
    int own = 0, p = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < calls; ++i) call(comm, own, p, i);
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
    const int calls = argc > 3 ? atoi(argv[3]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long before = 0, files = 0;
    const double start = MPI_Wtime();
    for (int i = 0; i < made; ++i) {
        MPI_Comm comm;
        if (made >= 5 && i % (made / 5) == 0) show(i);
        if (i == made / 5) before = resident_kib(), files = open_files();
        if (i % 2 == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, rank == i % size, i % 3 == 0 ? -rank : rank, &comm);
        use(comm, i % 5 == 0 ? 300 : 1);
        call_often(comm, calls / 2);
        call_often(MPI_COMM_WORLD, calls - calls / 2);
        MPI_Comm_free(&comm);
    }
    show(made);
    long grown[2] = {resident_kib() - before, open_files() - files}, most_grown[2] = {0, 0};
    const double seconds = MPI_Wtime() - start;
    PMPI_Reduce(grown, most_grown, 2, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);

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
        printf("%d wrong, grown by %ld KiB, %ld open files\n", all_wrong, most_grown[0], most_grown[1]);
    }
    MPI_Finalize();
    return all_wrong != 0;
}
