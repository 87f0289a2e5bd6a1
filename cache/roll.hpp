// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echelon {

/// What the ranks of MPI_COMM_WORLD told each other in MPI_Init: where each sits and what it was asked for.
/// What some of them must know of each other later is looked up here, without a message.
class Roll {
public:
    /// `settings`: a fingerprint. Packages and NUMA nodes are asked for with `topology`, which must be the
    /// same on all ranks. Collective over MPI_COMM_WORLD.
    Roll(std::uint64_t node, std::uint64_t settings, bool topology);

    bool knows_topology() const { return topology_; }
    /// Of ranks of MPI_COMM_WORLD.
    Placement placement(std::span<const int> ranks) const;
    /// On the busiest node.
    int ranks_per_node() const;
    /// They were asked for the same.
    bool alike(std::span<const int> ranks) const;
    bool all_alike() const { return all_alike_; }

private:
    struct Entry {
        Seat seat;
        std::uint64_t settings;
    };
    std::vector<Entry> entries_;  // by rank
    bool topology_, all_alike_;
};

}  // namespace echelon
