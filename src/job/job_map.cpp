// SPDX-License-Identifier: Apache-2.0
#include "job/job_map.hpp"

#include "groups/hwloc_location.hpp"
#include "mpi/agree.hpp"
#include "mpi/check.hpp"
#include "mpi/clock.hpp"
#include "mpi/comm.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/patient_calls.hpp"
#include "mpi/processors.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

namespace echelon {
namespace {

/// Nanoseconds of a short allreduce, the second in a row: the first one waits for late ranks and connects
/// ranks.
std::uint64_t wait_for_all() {
    (void)all_say(true, MPI_COMM_WORLD);
    const Seconds began = now();
    (void)all_say(true, MPI_COMM_WORLD);
    return std::uint64_t(1e9 * std::max(now() - began, 0.0));
}

/// Nanoseconds per byte of an allreduce of some KB, if a short one takes `few` nanoseconds. A rank receives
/// about two vectors: operands, then results. Equal on all ranks.
std::uint64_t byte_of_many(std::uint64_t few) {
    constexpr int count = 1024;
    std::vector<int> numbers(count);
    const Seconds began = now();
    check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), count, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
          "MPI_Allreduce");
    const double longer = 1e9 * (now() - began) - double(few);
    auto byte = std::int64_t(std::max(longer, 0.0) / (2.0 * count * sizeof(int)));
    check(PMPI_Allreduce(MPI_IN_PLACE, &byte, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    return std::uint64_t(byte);
}

std::uint64_t count_of(const ProcessorSet& processors) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : processors) count += std::uint64_t(std::popcount(word));
    return count;
}

std::uint64_t key_of(const ProcessorSet& processors) {
    std::string text;
    for (const std::uint64_t word : processors) text += std::to_string(word) + ' ';
    return node_key(text);
}

}  // namespace

JobMap::JobMap(std::uint64_t node, const Region& region, std::uint64_t settings, bool topology, Step step)
    : entries_(std::size_t(size_of(MPI_COMM_WORLD))), topology_(topology) {
    const ProcessorSet processors = own_processors();
    Entry own{topology ? location_here(node) : Location{.node = node},
              settings,
              step == Step::seen ? wait_for_all() : 0,
              count_of(processors),
              key_of(processors),
              clock_id()};
    own.location.region = region;
    allgather_patiently(&own, entries_.data(), int(sizeof own), MPI_COMM_WORLD);
    for (const Level level : all_levels) {
        const auto told = std::ranges::count_if(
            entries_, [&](const Entry& one) { return one.location.region.at(level) != 0; });
        if (told == 0 || std::size_t(told) == entries_.size()) continue;
        partly_told_.push_back(level);
        for (Entry& one : entries_) one.location.region.at(level) = 0;
    }
    all_alike_ = std::all_of(entries_.begin(), entries_.end(),
                             [&](const Entry& one) { return one.settings == settings; });
    // The rank that came last waited for no other rank. An allreduce may go up and down a tree.
    const auto last = std::min_element(entries_.begin(), entries_.end(),
                                       [](const Entry& a, const Entry& b) { return a.waited < b.waited; });
    const auto messages = 2 * std::uint64_t(std::bit_width(entries_.size()));
    step_ = last->waited / messages;
    constexpr std::uint64_t long_one = 50'000;
    if (step_ > long_one) byte_ = byte_of_many(messages * step_);
}

bool JobMap::has_room() const {
    // Ranks by node and set of processors.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> ranks;
    return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& one) {
        return ++ranks[{one.location.node, one.which}] <= one.processors;
    });
}

void JobMap::find_crowd(bool surely, bool spins) {
    const auto elsewhere = [&](const Entry& one) {
        return one.location.node != entries_.front().location.node;
    };
    if (std::any_of(entries_.begin(), entries_.end(), elsewhere)) return;
    crowded_ = surely || echelon::is_crowded(MPI_COMM_WORLD);
    spins_ = crowded_ && spins;
}

void JobMap::find_regions(const std::vector<Inhabitants>& regions) {
    if (regions.empty()) return;
    const std::string own = mpi_host();
    Region found;
    for (const Inhabitants& one : regions)
        if (std::ranges::count(one.hosts, own) > 0) found = one.region;
    std::vector<Region> all(entries_.size());
    check(PMPI_Allgather(&found, int(sizeof found), MPI_BYTE, all.data(), int(sizeof found), MPI_BYTE,
                         MPI_COMM_WORLD),
          "MPI_Allgather");
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        Region& region = entries_[rank].location.region;
        region = completed(region, all[rank]);
    }
}

void JobMap::set_regions(const Placement& placement) {
    for (std::size_t rank = 0; rank < entries_.size(); ++rank)
        entries_[rank].location.region = placement.region(int(rank));
}

Placement JobMap::placement(std::span<const int> ranks) const {
    std::vector<Location> locations;
    locations.reserve(ranks.size());
    for (const int rank : ranks) locations.push_back(entries_[std::size_t(rank)].location);
    return Placement::from(locations);
}

int JobMap::ranks_per_node() const {
    std::vector<int> all(entries_.size());
    std::iota(all.begin(), all.end(), 0);
    return echelon::ranks_per_node(placement(all));
}

std::optional<int> JobMap::neighbour() const {
    const Location& first = entries_.front().location;
    const auto found = std::ranges::find_if(entries_, [&](const Entry& one) {
        return one.location.node != first.node && one.location.region.site == first.region.site;
    });
    return found == entries_.end() ? std::nullopt : std::optional(int(found - entries_.begin()));
}

bool JobMap::share_a_clock(std::span<const int> ranks) const {
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
        return entries_[std::size_t(rank)].clock == entries_[std::size_t(ranks.front())].clock;
    });
}

bool JobMap::alike(std::span<const int> ranks) const {
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
        return entries_[std::size_t(rank)].settings == entries_[std::size_t(ranks.front())].settings;
    });
}

}  // namespace echelon
