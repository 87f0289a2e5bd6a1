/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that calls send from node to node: MPI_X, which passes through a library in front, and PMPI_X, which
   does not, in turns within one process. It counts bytes that ranks gave to TCP, including MPI's headers,
   hence messages count; retransmissions on a slow machine count once. It knows nothing of Echelon. */
#define _GNU_SOURCE
#include "bench/either_call.h"

#include <linux/tcp.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Bytes sent by this process up to this point, over all its connections to other hosts. */
static long sent(void) {
    long bytes = 0;
    for (int file = 3; file < 1024; ++file) {
        struct sockaddr_in here, there;
        struct tcp_info told;
        socklen_t here_size = sizeof here, there_size = sizeof there, size = sizeof told;
        if (getpeername(file, (struct sockaddr*)&there, &there_size) != 0 || there.sin_family != AF_INET ||
            getsockname(file, (struct sockaddr*)&here, &here_size) != 0 ||
            here.sin_addr.s_addr == there.sin_addr.s_addr ||
            getsockopt(file, IPPROTO_TCP, TCP_INFO, &told, &size) != 0)
            continue;
        bytes += (long)(told.tcpi_bytes_sent - told.tcpi_bytes_retrans + told.tcpi_notsent_bytes);
    }
    return bytes;
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    long wrong = 0;
    const long pairs = argc > 2 ? atol(argv[1]) : 0;
    if (pairs < 1) {
        fprintf(stderr, "usage: sent PAIRS allreduce:8 reduce:65536 ...; bytes in multiples of 8\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) printf("collective,bytes,pair,in_front,plain\n");
    for (int argument = 2; argument < argc; ++argument) {
        long bytes = 0;
        const int found = named_call(argv[argument], names, none, &bytes);
        if (found < 0) PMPI_Abort(MPI_COMM_WORLD, 2);
        const enum collective which = (enum collective)found;
        const int count = (int)(bytes / 8);
        const long inputs = (long)count * blocks_in(which, ranks);
        const size_t room = (size_t)count * (size_t)blocks_out(which, ranks) * sizeof(double);
        double* const in = malloc((size_t)inputs * sizeof(double));
        double* const out = malloc(room);
        for (long i = 0; i < inputs; ++i) in[i] = input(rank, i);
        for (long i = -1; i < pairs; ++i) { /* the first pair warms up the library alone */
            long by[2] = {0, 0}, all[2];
            for (int turn = 0; turn < 2; ++turn) {
                const int in_front = i >= 0 && turn == 0;
                memset(out, 0, room);
                PMPI_Barrier(MPI_COMM_WORLD);
                by[turn] = -sent();
                call(which, in_front, rank, in, out, count, MPI_COMM_WORLD);
                PMPI_Barrier(MPI_COMM_WORLD);
                by[turn] += sent();
                wrong += !is_right(which, rank, ranks, count, out);
            }
            PMPI_Reduce(by, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0 && i >= 0) printf("%s,%ld,%ld,%ld,%ld\n", names[which], bytes, i, all[0], all[1]);
        }
        fflush(stdout);
        free(in);
        free(out);
    }
    long sum = 0;
    PMPI_Reduce(&wrong, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && sum > 0) fprintf(stderr, "sent: %ld results were wrong\n", sum);
    MPI_Finalize();
    return sum > 0;
}
