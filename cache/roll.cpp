// SPDX-License-Identifier: Apache-2.0
#include "cache/roll.hpp"

#include "groups/hwloc_seat.hpp"
#include "mpi/comm.hpp"
#include "mpi/fingerprint.hpp"

#include <algorithm>
#include <numeric>

namespace echelon {

Roll::Roll(std::uint64_t node, std::uint64_t settings, bool topology)
    : entries_(std::size_t(size_of(MPI_COMM_WORLD))), topology_(topology) {
    const Entry own{topology ? seat_here(node) : Seat{.node = node}, settings};
    check(PMPI_Allgather(&own, int(sizeof own), MPI_BYTE, entries_.data(), int(sizeof own), MPI_BYTE,
                         MPI_COMM_WORLD),
          "MPI_Allgather");
    all_alike_ = std::all_of(entries_.begin(), entries_.end(),
                             [&](const Entry& one) { return one.settings == settings; });
}

Placement Roll::placement(std::span<const int> ranks) const {
    std::vector<Seat> seats;
    seats.reserve(ranks.size());
    for (const int rank : ranks) seats.push_back(entries_[std::size_t(rank)].seat);
    return Placement::from(seats);
}

int Roll::ranks_per_node() const {
    std::vector<int> all(entries_.size());
    std::iota(all.begin(), all.end(), 0);
    return echelon::ranks_per_node(placement(all));
}

bool Roll::alike(std::span<const int> ranks) const {
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
        return entries_[std::size_t(rank)].settings == entries_[std::size_t(ranks.front())].settings;
    });
}

}  // namespace echelon
