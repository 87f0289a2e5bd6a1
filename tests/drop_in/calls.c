/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives in all their forms from C: rank 0 prints the results of all ranks. The output must be equal
   with and without Echelon in front. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 5000 };
static int rank, size;

/* A hash of the vector of every rank, one line a label. */
static void show(const char* label, const void* data, size_t bytes, MPI_Comm comm) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ ((const unsigned char*)data)[i]) * 1099511628211u;
    uint64_t all[64];
    int own = 0, p = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &p);
    MPI_Gather(&hash, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, comm);
    if (rank != 0 || own != 0) return;
    printf("%s:", label);
    for (int r = 0; r < p; ++r) printf(" %016llx", (unsigned long long)all[r]);
    printf("\n");
}

static void multiply(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    int32_t *a = left, *b = right;
    for (int i = 0; i < *count; ++i, a += 4, b += 4) {
        const int32_t c[4] = {(a[0] * b[0] + a[1] * b[2]) % 1009, (a[0] * b[1] + a[1] * b[3]) % 1009,
                              (a[2] * b[0] + a[3] * b[2]) % 1009, (a[2] * b[1] + a[3] * b[3]) % 1009};
        for (int j = 0; j < 4; ++j) b[j] = c[j];
    }
}

static void reductions(MPI_Comm comm, int count) {
    int *in = malloc(most * sizeof *in), *out = malloc(most * sizeof *out);
    int own = 0, p = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < count; ++i) in[i] = (own * 7 + i * 3) % 101;
    for (int i = 0; i < count; ++i) out[i] = -1;
    MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
    show("allreduce", out, (size_t)count * sizeof *out, comm);
    for (int i = 0; i < count; ++i) out[i] = in[i];
    MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_INT, MPI_MAX, comm);
    show("allreduce in place", out, (size_t)count * sizeof *out, comm);
    for (int root = 0; root < p; ++root) {
        for (int i = 0; i < count; ++i) out[i] = in[i];
        /* All ranks pass one buffer twice, like programs do: only the root's second one counts. */
        const int n =
            root == 0 || count < 500 ? count : 500; /* MPICH 4.0 crashes beyond 2 KiB (MPICH #6540) */
        MPI_Reduce(own == root ? MPI_IN_PLACE : out, out, n, MPI_INT, MPI_SUM, root, comm);
        show("reduce in place", out, own == root ? (size_t)count * sizeof *out : 0, comm);
        MPI_Reduce(in, own == root ? out : NULL, count, MPI_INT, MPI_BXOR, root, comm);
        show("reduce", out, own == root ? (size_t)count * sizeof *out : 0, comm);
        for (int i = 0; i < count; ++i) out[i] = own == root ? i * i : -1;
        MPI_Bcast(out, count, MPI_INT, root, comm);
        show("bcast", out, (size_t)count * sizeof *out, comm);
        MPI_Barrier(comm);
    }
    free(in);
    free(out);
}

/* Collectives in which every rank has a block, and scans. */
static void blocks(MPI_Comm comm, int count) {
    int own = 0, p = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &p);
    const size_t bytes = (size_t)count * sizeof(int), all = (size_t)p * bytes;
    int *in = malloc(all), *out = malloc(all), *counts = malloc((size_t)p * sizeof *counts);
    for (int i = 0; i < count * p; ++i) in[i] = (own * 7 + i * 3) % 101;
    MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, comm);
    show("allgather", out, all, comm);
    for (int i = 0; i < count; ++i) out[own * count + i] = own + i;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_INT, comm);
    show("allgather in place", out, all, comm);
    for (int root = 0; root<p; root += p> 1 ? p - 1 : 1) {
        MPI_Gather(in, count, MPI_INT, own == root ? out : NULL, count, MPI_INT, root, comm);
        show("gather", out, own == root ? all : 0, comm);
        MPI_Gather(own == root ? MPI_IN_PLACE : in + 1, count - 1, MPI_INT, out, count - 1, MPI_INT, root,
                   comm);
        show("gather in place", out, own == root ? all : 0, comm);
        MPI_Scatter(own == root ? in : NULL, count, MPI_INT, out, count, MPI_INT, root, comm);
        show("scatter", out, bytes, comm);
        MPI_Scatter(in, count, MPI_INT, own == root ? MPI_IN_PLACE : out, count, MPI_INT, root, comm);
        show("scatter in place", out, bytes, comm);
    }
    MPI_Alltoall(in, count, MPI_INT, out, count, MPI_INT, comm);
    show("alltoall", out, all, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_INT, comm);
    show("alltoall in place", out, all, comm);
    MPI_Reduce_scatter_block(in, out, count, MPI_INT, MPI_SUM, comm);
    show("reduce_scatter_block", out, bytes, comm);
    for (int uneven = 0; uneven < 2; ++uneven) {
        for (int r = 0; r < p; ++r) counts[r] = uneven ? count * (r % 2) : count - (r > 0);
        MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_MAX, comm);
        show("reduce_scatter", out, (size_t)counts[own] * sizeof *out, comm);
        for (int i = 0; i < count * p; ++i) out[i] = in[i];
        MPI_Reduce_scatter(MPI_IN_PLACE, out, counts, MPI_INT, MPI_SUM, comm);
        show("reduce_scatter in place", out, (size_t)counts[own] * sizeof *out, comm);
    }
    /* Blocks in the reverse order of the ranks, the first ones empty, with gaps that stay as they are. */
    int* places = malloc((size_t)p * sizeof *places);
    for (int r = 0; r < p; ++r) counts[r] = r < p / 2 ? 0 : count - 1 - r, places[r] = (p - 1 - r) * count;
    MPI_Allgatherv(in, counts[own], MPI_INT, out, counts, places, MPI_INT, comm);
    show("allgatherv", out, all, comm);
    for (int i = 0; i < counts[own]; ++i) out[places[own] + i] = own - i;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, comm);
    show("allgatherv in place", out, all, comm);
    MPI_Request request;
    MPI_Iallgatherv(in, counts[own], MPI_INT, out, counts, places, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("iallgatherv", out, all, comm);
    for (int root = 0; root<p; root += p - 1> 0 ? p - 1 : 1) {
        int *const known = own == root ? counts : NULL, *const there = own == root ? places : NULL;
        const size_t at_root = own == root ? all : 0, mine = (size_t)counts[own] * sizeof *out;
        MPI_Gatherv(in, counts[own], MPI_INT, out, known, there, MPI_INT, root, comm);
        show("gatherv", out, at_root, comm);
        MPI_Gatherv(own == root ? MPI_IN_PLACE : in, counts[own], MPI_INT, out, known, there, MPI_INT, root,
                    comm);
        show("gatherv in place", out, at_root, comm);
        MPI_Igatherv(in, counts[own], MPI_INT, out, known, there, MPI_INT, root, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        show("igatherv", out, at_root, comm);
        MPI_Scatterv(in, known, there, MPI_INT, out, counts[own], MPI_INT, root, comm);
        show("scatterv", out, mine, comm);
        MPI_Scatterv(in, known, there, MPI_INT, own == root ? MPI_IN_PLACE : out, counts[own], MPI_INT, root,
                     comm);
        show("scatterv in place", out, mine, comm);
        MPI_Iscatterv(in, known, there, MPI_INT, out, counts[own], MPI_INT, root, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        show("iscatterv", out, mine, comm);
    }
    int *to = malloc((size_t)p * sizeof *to), *sent = malloc((size_t)p * sizeof *sent);
    for (int r = 0; r < p; ++r) {
        sent[r] = (own + 2 * r) % 3 * (count / 3), counts[r] = (r + 2 * own) % 3 * (count / 3);
        to[r] = r * count;
    }
    MPI_Alltoallv(in, sent, to, MPI_INT, out, counts, places, MPI_INT, comm);
    show("alltoallv", out, all, comm);
    MPI_Ialltoallv(in, sent, to, MPI_INT, out, counts, to, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("ialltoallv", out, all, comm);
    for (int r = 0; r < p; ++r) counts[r] = (own * r) % 3 * (count / 3);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, comm);
    show("alltoallv in place", out, all, comm);
    free(sent);
    free(to);
    free(places);
    MPI_Scan(in, out, count, MPI_INT, MPI_SUM, comm);
    show("scan", out, bytes, comm);
    MPI_Scan(MPI_IN_PLACE, out, count, MPI_INT, MPI_MAX, comm);
    show("scan in place", out, bytes, comm);
    MPI_Exscan(in, out, count, MPI_INT, MPI_SUM, comm);
    show("exscan", out, own == 0 ? 0 : bytes, comm);
    free(in);
    free(out);
    free(counts);
}

static void order_and_pairs(MPI_Comm comm) {
    MPI_Datatype matrix;
    MPI_Op product;
    MPI_Type_contiguous(4, MPI_INT32_T, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &product);
    int32_t mine[12], result[12];
    for (int i = 0; i < 12; ++i) mine[i] = (rank * 5 + i) % 7 + 1;
    MPI_Allreduce(mine, result, 3, matrix, product, comm);
    show("matrices", result, sizeof result, comm);
    struct {
        double value;
        int place;
    } pair[2] = {{rank % 3, rank}, {-rank % 2, rank}}, best[2];
    MPI_Allreduce(pair, best, 2, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    const double seen[4] = {best[0].value, best[0].place, best[1].value, best[1].place};
    show("maxloc", seen, sizeof seen, comm);
    MPI_Op_free(&product);
    MPI_Type_free(&matrix);
}

/* The root sends numbers side by side, the others take every second place; and absolute addresses. */
static void layouts(MPI_Comm comm) {
    double numbers[200];
    for (int i = 0; i < 200; ++i) numbers[i] = rank == 1 ? i : -1;
    MPI_Datatype spread, absolute;
    MPI_Type_vector(100, 1, 2, MPI_DOUBLE, &spread);
    MPI_Type_commit(&spread);
    if (rank == 1)
        MPI_Bcast(numbers, 100, MPI_DOUBLE, 1, comm);
    else
        MPI_Bcast(numbers, 1, spread, 1, comm);
    show("spread", numbers, sizeof numbers, comm);
    MPI_Aint address;
    const int length = 50;
    MPI_Get_address(numbers, &address);
    MPI_Type_create_hindexed(1, &length, &address, MPI_DOUBLE, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, comm);
    show("bottom", numbers, sizeof numbers, comm);
    MPI_Type_free(&spread);
    MPI_Type_free(&absolute);
}

static void between_groups(void) {
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
    int mine = rank + 1, others = 0;
    MPI_Allreduce(&mine, &others, 1, MPI_INT, MPI_SUM, between);
    show("intercommunicator", &others, sizeof others, MPI_COMM_WORLD);
    int all[64] = {0};
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, between);
    show("allgather between", all, sizeof all, MPI_COMM_WORLD);
    int counts[64], places[64];
    for (int r = 0; r < 64; ++r) counts[r] = r % 2 == 0, places[r] = 63 - r;
    MPI_Allgatherv(&mine, (rank / 2) % 2 == 0, MPI_INT, all, counts, places, MPI_INT, between);
    show("allgatherv between", all, sizeof all, MPI_COMM_WORLD);
    const int root = rank % 2 == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, between);
    show("gather between", all, rank == 0 ? sizeof all : 0, MPI_COMM_WORLD);
    MPI_Barrier(between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
    int provided = 0;
    if (argc > 1)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    reductions(MPI_COMM_WORLD, 1);
    reductions(MPI_COMM_WORLD, most);
    reductions(MPI_COMM_SELF, 3);
    blocks(MPI_COMM_WORLD, 300);
    blocks(MPI_COMM_SELF, 2);
    order_and_pairs(MPI_COMM_WORLD);
    if (size > 1) layouts(MPI_COMM_WORLD);
    if (size > 1) between_groups();
    /* Freed and made again: handles come back. */
    for (int round = 0; round < 5; ++round) {
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, rank < (size + round) / 2, -rank, &part);
        int number = rank, sum = 0;
        MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, part);
        show("part", &sum, sizeof sum, MPI_COMM_WORLD);
        if (round != 3) MPI_Comm_free(&part); /* one stays until the end */
    }
#if MPI_VERSION >= 4
    int64_t large[7], sums[7];
    for (int i = 0; i < 7; ++i) large[i] = rank + i;
    MPI_Allreduce_c(large, sums, 7, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    show("allreduce_c", sums, sizeof sums, MPI_COMM_WORLD);
    MPI_Reduce_c(large, sums, 7, MPI_INT64_T, MPI_MIN, size - 1, MPI_COMM_WORLD);
    show("reduce_c", sums, rank == size - 1 ? sizeof sums : 0, MPI_COMM_WORLD);
    MPI_Bcast_c(sums, 7, MPI_INT64_T, size - 1, MPI_COMM_WORLD);
    show("bcast_c", sums, sizeof sums, MPI_COMM_WORLD);
    int64_t many[64 * 2];
    MPI_Allgather_c(large, 2, MPI_INT64_T, many, 2, MPI_INT64_T, MPI_COMM_WORLD);
    show("allgather_c", many, (size_t)size * 16, MPI_COMM_WORLD);
    MPI_Alltoall_c(MPI_IN_PLACE, 2, MPI_INT64_T, many, 2, MPI_INT64_T, MPI_COMM_WORLD);
    show("alltoall_c", many, (size_t)size * 16, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block_c(many, sums, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    show("reduce_scatter_block_c", sums, 16, MPI_COMM_WORLD);
    MPI_Count lengths[64];
    for (int r = 0; r < size; ++r) lengths[r] = 2 - r % 2;
    MPI_Reduce_scatter_c(many, sums, lengths, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    show("reduce_scatter_c", sums, (size_t)lengths[rank] * 8, MPI_COMM_WORLD);
    MPI_Aint starts[64];
    for (int r = 0; r < size; ++r) starts[r] = 2 * r;
    MPI_Allgatherv_c(sums, lengths[rank], MPI_INT64_T, many, lengths, starts, MPI_INT64_T, MPI_COMM_WORLD);
    show("allgatherv_c", many, (size_t)size * 16, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) lengths[r] = (rank + r) % 3;
    int64_t back[128] = {0};
    MPI_Alltoallv_c(many, lengths, starts, MPI_INT64_T, back, lengths, starts, MPI_INT64_T, MPI_COMM_WORLD);
    show("alltoallv_c", back, sizeof back, MPI_COMM_WORLD);
    MPI_Gather_c(sums, 1, MPI_INT64_T, many, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Scatter_c(many, 1, MPI_INT64_T, sums, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Scan_c(MPI_IN_PLACE, sums, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan_c(sums, large, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    show("gather_c, scatter_c, scan_c, exscan_c", large, sizeof large, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
