// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echelon {

/// What the ranks of MPI_COMM_WORLD told each other in MPI_Init: where each sits and what it was asked for.
/// What some of them must know of each other later is looked up here, without a message.
class Roll {
public:
    /// `settings`: a fingerprint. `region`: where this node is, as far as it is known. What is inside nodes is asked for with
    /// `topology`. A short collective of the library's shows what its steps take; among ranks that share processors that is turns of the
    /// scheduler, and nobody looks. Both must be the same on all ranks. Collective over MPI_COMM_WORLD.
    enum class Step : bool { not_seen, seen };
    Roll(std::uint64_t node, const Region& region, std::uint64_t settings, bool topology, Step step);
    /// Nanoseconds of a step of a short collective on them, as the library was seen to take: of the rank that waited least; 0: not seen.
    std::uint64_t step() const { return step_; }
    /// Nanoseconds of a byte in a collective of some KB, seen so where a step is long; 0: not seen.
    std::uint64_t byte() const { return byte_; }
    /// Whether ranks on one node share processors: `surely`, or by what they may run on; and those that wait then keep theirs, if all do that
    /// (`spins`). Both are the same on all ranks. Collective over MPI_COMM_WORLD.
    void find_crowd(bool surely, bool spins);
    bool is_crowded() const { return crowded_; }
    bool is_spinning_crowd() const { return spins_; }
    /// On each node all ranks can have a processor of their own, as far as their numbers say.
    bool has_room() const;
    /// What only some ranks were told of their region; it counts for none.
    std::vector<Level> partly_told() const { return partly_told_; }
    /// By the names of hosts, what ranks were not told. The same on all ranks. Collective over MPI_COMM_WORLD where there are some.
    void find_regions(const std::vector<Inhabitants>& regions);
    /// All ranks sit so. Alike on all ranks.
    void set_regions(const Placement& placement);

    bool knows_topology() const { return topology_; }
    int size() const { return int(entries_.size()); }
    const Region& region(int rank) const { return entries_[std::size_t(rank)].location.region; }
    /// Of ranks of MPI_COMM_WORLD.
    Placement placement(std::span<const int> ranks) const;
    /// On the busiest node.
    int ranks_per_node() const;
    /// The first rank on another node of rank 0's site; nullopt: there is none.
    std::optional<int> neighbour() const;
    /// Their clocks show the same.
    bool share_a_clock(std::span<const int> ranks) const;
    /// They were asked for the same.
    bool alike(std::span<const int> ranks) const;
    bool all_alike() const { return all_alike_; }

private:
    struct Entry {
        Location location;
        std::uint64_t settings, waited;
        /// That the rank may run on: how many, and which, as a number.
        std::uint64_t processors, which;
        double clock;
    };
    std::vector<Entry> entries_;  // by rank
    std::vector<Level> partly_told_;
    bool topology_, all_alike_, crowded_ = false, spins_ = false;
    std::uint64_t step_, byte_ = 0;
};

}  // namespace echelon
