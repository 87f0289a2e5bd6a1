// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echelon {

/// The location and the settings of every rank of MPI_COMM_WORLD, exchanged in MPI_Init. Ranks of other
/// communicators look them up here, without a message.
class JobMap {
public:
    /// Tells if a short native collective is timed. Among ranks that share processors it would show the turns
    /// of the scheduler.
    enum class Step : bool { not_seen, seen };
    /// Exchanges this rank's `node`, `region` (unknown parts are 0) and `settings`, a fingerprint. With
    /// `topology` locations include the places inside nodes. Requires: the same `topology` and `step` on all
    /// ranks. Collective over MPI_COMM_WORLD.
    JobMap(std::uint64_t node, const Region& region, std::uint64_t settings, bool topology, Step step);
    /// Nanoseconds that a step of a short native collective takes, timed on the rank that waited least; 0:
    /// not timed.
    std::uint64_t step() const { return step_; }
    /// Nanoseconds per byte of a native collective of some KB, timed if a step is long; 0: not timed.
    std::uint64_t byte() const { return byte_; }
    /// Finds out if ranks on one node share processors: `surely`, or by the processors that they may run on.
    /// `spins`: all ranks keep their processors while they wait. If the job has several nodes, the answers
    /// stay false. Requires: the same arguments on all ranks. Collective over MPI_COMM_WORLD.
    void find_crowd(bool surely, bool spins);
    bool is_crowded() const { return crowded_; }
    bool is_spinning_crowd() const { return spins_; }
    /// True if on each node all ranks can have a processor of their own, by the processors that they may run
    /// on.
    bool has_room() const;
    /// The levels of regions that only some ranks were told. They count as unknown on all ranks.
    std::vector<Level> partly_told() const { return partly_told_; }
    /// Completes the regions of all ranks by the names of hosts. Requires: the same `regions` on all ranks.
    /// Collective over MPI_COMM_WORLD if there are some.
    void find_regions(const std::vector<Inhabitants>& regions);
    /// Replaces the regions of all ranks. Requires: the same `placement` on all ranks. Local.
    void set_regions(const Placement& placement);

    bool knows_topology() const { return topology_; }
    int size() const { return int(entries_.size()); }
    const Region& region(int rank) const { return entries_[std::size_t(rank)].location.region; }
    /// The placement of these ranks of MPI_COMM_WORLD.
    Placement placement(std::span<const int> ranks) const;
    /// Number of ranks on the busiest node.
    int ranks_per_node() const;
    /// The first rank on another node of rank 0's site; nothing if there is none.
    std::optional<int> neighbour() const;
    /// True if these ranks read the same clock (clock_id()).
    bool share_a_clock(std::span<const int> ranks) const;
    /// True if these ranks have the same settings.
    bool alike(std::span<const int> ranks) const;
    bool all_alike() const { return all_alike_; }

private:
    struct Entry {
        Location location;
        std::uint64_t settings, waited;
        /// The processors that the rank may run on: their number, and a hash of the set.
        std::uint64_t processors, which;
        double clock;
    };
    std::vector<Entry> entries_;  // by rank
    std::vector<Level> partly_told_;
    bool topology_, all_alike_, crowded_ = false, spins_ = false;
    std::uint64_t step_, byte_ = 0;
};

}  // namespace echelon
