/* SPDX-License-Identifier: Apache-2.0 */
/* Times of programs whose collectives all have a root, and whose ranks therefore never all wait for each
   other: through a library in front of the MPI library, MPI_X, and without it, PMPI_X, after 20, 200, 2000
   ... rounds.

       rooted ROUNDS BYTES sum|rows

   sum: a reduce to rank 0, then a bcast of the result. rows: a bcast on each row of a grid of the ranks,
   from each of its ranks in turn, like in SUMMA. For simulated ranks
   (bench/studies/study-nothing-set --rooted). It knows nothing of Echelon. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, in_row, row_size, count;
static MPI_Comm row;
static double *in, *out;

/* Returns true if the results are right. */
static int sum(int in_front) {
    for (int i = 0; i < count; ++i) in[i] = 1 + rank;
    (in_front ? MPI_Reduce : PMPI_Reduce)(in, out, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    (in_front ? MPI_Bcast : PMPI_Bcast)(out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double expected = ranks * (ranks + 1) / 2.0;
    return out[0] == expected && out[count - 1] == expected;
}

static int bcast_on_rows(int in_front, long round) {
    const int root = (int)(round % row_size);
    const double expected = (double)round + root;
    for (int i = 0; i < count; ++i) out[i] = in_row == root ? expected : -1;
    (in_front ? MPI_Bcast : PMPI_Bcast)(out, count, MPI_DOUBLE, root, row);
    return out[0] == expected && out[count - 1] == expected;
}

/* Writes the totals after 20, 200 ... rounds; returns their number. */
static int rounds(int in_front, int rows, long all, double* totals, long* wrong) {
    int points = 0;
    long point = 20;
    double total = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    double began = PMPI_Wtime();
    for (long round = 1; round <= all; ++round) {
        *wrong += !(rows ? bcast_on_rows(in_front, round) : sum(in_front));
        if (round != point && round != all) continue;
        double ended = PMPI_Wtime(), last;
        PMPI_Allreduce(&ended, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        totals[points++] = total += last - began;
        point *= 10;
        PMPI_Barrier(MPI_COMM_WORLD);
        began = PMPI_Wtime();
    }
    return points;
}

int main(int argc, char** argv) {
    const long all = argc == 4 ? atol(argv[1]) : 0;
    count = argc == 4 ? (int)(atol(argv[2]) / 8) : 0;
    const int rows = argc == 4 && strcmp(argv[3], "rows") == 0;
    if (all < 1 || count < 1 || (!rows && strcmp(argv[3], "sum") != 0)) {
        fprintf(stderr, "usage: rooted ROUNDS BYTES sum|rows; bytes in multiples of 8\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int height = 1;
    for (int i = 2; i * i <= ranks; ++i)
        if (ranks % i == 0) height = i;
    MPI_Comm_split(MPI_COMM_WORLD, rank / (ranks / height), rank, &row);
    MPI_Comm_rank(row, &in_row);
    MPI_Comm_size(row, &row_size);
    in = malloc((size_t)count * sizeof(double));
    out = calloc((size_t)count, sizeof(double));
    long wrong = 0, all_wrong = 0, point = 20;
    double plain[20], in_front[20];
    rounds(0, rows, all, plain, &wrong);
    const int points = rounds(1, rows, all, in_front, &wrong);
    PMPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("calls,in_front_s,plain_s\n");
    for (int i = 0; rank == 0 && i < points; ++i, point *= 10)
        printf("%ld,%.9f,%.9f\n", point < all ? point : all, in_front[i], plain[i]);
    if (rank == 0 && all_wrong > 0) fprintf(stderr, "rooted: %ld results were wrong\n", all_wrong);
    free(in);
    free(out);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return all_wrong > 0;
}
