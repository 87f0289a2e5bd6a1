// SPDX-License-Identifier: Apache-2.0
#include "job/world.hpp"

#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/next.hpp"
#include "mpi/open_window.hpp"
#include "mpi/patient_calls.hpp"
#include "mpi/pending_calls.hpp"
#include "mpi/presence.hpp"
#include "mpi/presence_check.hpp"
#include "mpi/processors.hpp"
#include "mpi/quirks.hpp"
#include "mpi/seen_link.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace echelon {

World::World(const Settings& settings, int rank) : settings_(settings), rank_(rank) {
    const auto key = [](const std::string& name) { return name.empty() ? 0 : node_key(name); };
    told_ = {.site = key(settings.site), .leaf_switch = key(settings.leaf_switch)};
}

void World::settle(JobProfile& heard, LogOnce& log, bool counts) {
    if (const auto absence = find_absence()) {
        set_presence(Presence::off);
        log.once(absence->speaks, absence->sentence());
        return;
    }
    const int size = size_of(MPI_COMM_WORLD);
    int level = MPI_THREAD_SINGLE;
    check(PMPI_Query_thread(&level), "MPI_Query_thread");
    const int threads = level == MPI_THREAD_MULTIPLE;
    const int shares = settings_.communicators ? *settings_.communicators == 0
                                               : quirks::threads_make_no_communicators && threads != 0;
    const bool by_thread = settings_.progress_thread && threads != 0 && !quirks::simulated;
    if (by_thread) PendingCalls::join_by_thread();
    const bool reads = rank_ == 0 && size > 1;
    const auto known = heard.known();  // from an MPI session
    const auto found = reads && known == nullptr ? heard.look() : ProfileSearch();
    const bool has_profile = reads && (known != nullptr ? known->profile != nullptr : !found.fitting.empty());
    const bool topology = has_profile || settings_.needs_topology();
    // Thread levels and settings may differ between ranks.
    const auto name = std::int64_t(node_by_name());
    std::array<std::int64_t, 14> any{threads,
                                     shares,
                                     has_profile,
                                     topology,
                                     !counts,
                                     settings_.mode.value_or(Mode::automatic) == Mode::automatic,
                                     memory_is_shared && has_fewer_processors(size),
                                     !waits_spinning(),
                                     quirks::simulated || ranks_on_this_node() != size,
                                     !by_thread && (threads != 0 || !PendingCalls::join()),
                                     settings_.progress_thread && !by_thread,
                                     !next.sees_starts,
                                     name,
                                     ~name};
    allreduce_patiently(any.data(), int(any.size()), MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    const auto [any_threads, any_shares, any_profile, any_topology, any_silent, any_chooses, any_short,
                any_yields, any_elsewhere, any_stands_still, any_lacks_level, any_starts_elsewhere, last_name,
                first_name] = any;
    if (size == 1) return;
    sums_up_ = quirks::sends_in_finalize && any_silent == 0;
    advances_ = any_stands_still == 0;
    sees_starts_ = any_starts_elsewhere == 0;
    if (!advances_) PendingCalls::leave();
    if (any_lacks_level != 0)
        log.once(rank_ == 0,
                 "ECHELON_PROGRESS=thread needs MPI_THREAD_MULTIPLE, which this program does not have; its "
                 "nonblocking collectives advance in its own MPI calls");
    own_world_ = std::make_unique<OwnWorld>();
    copies_ = quirks::nonblocking_collectives_use_up_tags && any_threads == 0;
    if (any_shares != 0) {
        channel_ = std::make_unique<Channel>(*own_world_);
    } else {
        told_routes_ = std::make_unique<ToldRoutes>(*own_world_);
    }
    // Each rank's launcher says that it started all ranks on this node. The library asks it, too.
    const bool one_node = any_elsewhere == 0 && last_name == ~first_name;
    node_ = one_node ? 0 : own_node(own_world_->get());
    const bool crowd = one_node && any_short != 0;
    job_map_ = std::make_unique<JobMap>(*node_, region(), settings_.fingerprint(), any_topology != 0,
                                        crowd ? JobMap::Step::not_seen : JobMap::Step::seen);
    for (const Level one : job_map_->partly_told())
        log.once(rank_ == 0, "the " +
                                 std::string(one == Level::site ? "site of ECHELON_PLACE"
                                                                : "switch of ECHELON_PLACE or Slurm") +
                                 " is known to some ranks only: it counts for none");
    if (memory_is_shared) job_map_->find_crowd(any_short != 0, any_yields == 0);
    KnownProfile profile;
    // The number of ranks per node selects one of the profiles that fit.
    if (rank_ == 0) profile = known != nullptr ? *known : found.first_for(job_map_->ranks_per_node());
    if (any_profile != 0) {
        const std::string told = broadcast(rank_ == 0 ? profile.told() : "", MPI_COMM_WORLD);
        if (rank_ != 0) profile = KnownProfile::heard(told);
        if (profile.profile != nullptr) job_map_->find_regions(profile.profile->regions());
    } else if (const auto neighbour = job_map_->neighbour(); neighbour && any_chooses != 0) {
        seen_link_ = echelon::seen_link(0, *neighbour, own_world_->get());
    }
    (void)heard.take(std::move(profile));
}

Region World::region() const {
    {
        const std::scoped_lock lock(mutex_);
        if (found_.known()) return found_;
    }
    if (job_map_ != nullptr) return job_map_->region(rank_);
    return told_;
}

bool World::find_region(const std::vector<Inhabitants>& regions) {
    if (regions.size() < 2) return false;
    const std::string own = mpi_host();
    const std::scoped_lock lock(mutex_);
    for (const Inhabitants& one : regions)
        if (std::ranges::count(one.hosts, own) > 0) found_ = completed(told_, one.region);
    return true;
}

void World::set_regions(const Placement& placement, int rank) {
    if (!placement.knows_regions()) return;
    const std::scoped_lock lock(mutex_);
    found_ = placement.region(rank);
    if (job_map_ != nullptr && job_map_->size() == placement.size()) job_map_->set_regions(placement);
}

std::uint64_t World::node(MPI_Comm comm) const { return node_ ? *node_ : own_node(comm); }

MPI_Comm World::for_handouts(MPI_Comm user) const {
    if (own_world_ == nullptr) return MPI_COMM_NULL;
    if (user == MPI_COMM_WORLD) return own_world_->get();
    return quirks::nonblocking_collectives_use_up_tags ? MPI_COMM_NULL : user;
}

void World::keep(AsyncReduction& reduction) {
    const std::scoped_lock lock(mutex_);
    reduction.leave_to(async_reduction_, sends_);
}

void World::keep(AsyncLetter& letter) {
    const std::scoped_lock lock(mutex_);
    letter.leave_to(async_letter_, sends_);
}

void World::keep(AsyncBroadcast& broadcast) {
    const std::scoped_lock lock(mutex_);
    broadcast.leave_to(async_broadcasts_);
}

void World::close() {
    if (sends_) {
        async_reduction_.close();
        async_letter_.close();
        async_broadcasts_.close();
    }
    channel_.reset();
    told_routes_.reset();
    own_world_.reset();
}

}  // namespace echelon
