// SPDX-License-Identifier: Apache-2.0
#include "mpi/seen_link.hpp"

#include "mpi/check.hpp"
#include "mpi/clock.hpp"
#include "mpi/comm.hpp"
#include "mpi/patient_calls.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace echelon {
namespace {

/// Seconds of one message, one way. Both ranks call it; `begins`: this rank sends first.
Seconds one_way(int bytes, int peer, bool begins, MPI_Comm comm) {
    std::vector<char> message(static_cast<std::size_t>(bytes));
    constexpr int tag = 0, times = 2;
    Seconds least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < times; ++i) {
        const Seconds began = now();
        for (const bool sends : {begins, !begins}) {
            if (sends)
                check(PMPI_Send(message.data(), bytes, MPI_BYTE, peer, tag, comm), "MPI_Send");
            else
                check(PMPI_Recv(message.data(), bytes, MPI_BYTE, peer, tag, comm, MPI_STATUS_IGNORE),
                      "MPI_Recv");
        }
        least = std::min(least, (now() - began) / 2);
    }
    return least;
}

}  // namespace

Hockney seen_link(int one, int other, MPI_Comm comm) {
    constexpr int few = 8, many = 32 << 10;
    constexpr Seconds shortest = 1e-7;
    constexpr SecondsPerByte quickest = 1 / 1e11;
    const int rank = rank_of(comm);
    std::array<double, 2> seen{};
    if (rank == one || rank == other) {
        const int peer = rank == one ? other : one;
        seen = {one_way(few, peer, rank == one, comm), one_way(many, peer, rank == one, comm)};
        if (rank == other) seen = {};  // only the rank that began timed the whole exchange
    }
    allreduce_patiently(seen.data(), int(seen.size()), MPI_DOUBLE, MPI_MAX, comm);
    const auto& [short_one, long_one] = seen;
    return {std::max(short_one, shortest), std::max((long_one - short_one) / (many - few), quickest)};
}

}  // namespace echelon
