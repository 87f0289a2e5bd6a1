// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"
#include "job/job_map.hpp"
#include "job/job_profile.hpp"
#include "job/log_once.hpp"
#include "mpi/async_broadcast.hpp"
#include "mpi/async_letter.hpp"
#include "mpi/async_reduction.hpp"
#include "mpi/channel.hpp"
#include "mpi/comm.hpp"
#include "mpi/quirks.hpp"
#include "mpi/told_routes.hpp"
#include "settings/settings.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace echelon {

/// The facts that the ranks of MPI_COMM_WORLD exchange in MPI_Init, once for all communicators: locations and
/// settings, and the way in which Echelon makes its communicators.
class World {
public:
    /// `rank`: this rank in MPI_COMM_WORLD. `settings` must outlive this.
    World(const Settings& settings, int rank);

    /// Exchanges the facts, in MPI_Init. `counts`: this rank counts its calls. Requires: the thread that
    /// initialised MPI. Collective over MPI_COMM_WORLD.
    void settle(JobProfile& profile, LogOnce& log, bool counts);
    /// Says that MPI_Finalize has begun, in which the library may take no messages.
    void enter_finalize() { sends_ = quirks::sends_in_finalize; }
    /// Completes pending messages and frees the communicators. Requires: MPI is about to end. All ranks call
    /// it.
    void close();

    /// The exchanged facts. Null unless this process is Presence::seen.
    const JobMap* job_map() const { return job_map_.get(); }
    /// The copy of MPI_COMM_WORLD. Null if MPI_Init was not seen, or if all messages use the channel.
    const OwnWorld* own_world() const { return channel_ == nullptr ? own_world_.get() : nullptr; }
    /// The communicator from which Echelon makes its own; null: they are made from the program's.
    const OwnWorld* maker() const { return copies_ ? own_world() : nullptr; }
    /// The measured time of a message between two nodes; nothing if a profile is known or no rank measured
    /// it.
    const std::optional<Hockney>& seen_link() const { return seen_link_; }
    /// The channel for all messages, if Echelon may make no communicators; null if it may.
    Channel* channel() const { return channel_.get(); }
    /// The communicator for asynchronous broadcasts among the ranks of `user`. MPI_COMM_NULL: there can be
    /// none, because it would leave a trace on the program's communicator, or because MPI_Init was not seen.
    MPI_Comm for_handouts(MPI_Comm user) const;
    /// Routes for trials, and for communicators without synchronising calls. Null if MPI_Init was not seen,
    /// or if all messages use the channel.
    ToldRoutes* told_routes() const { return told_routes_.get(); }
    /// Takes over the reduction of a communicator that ends, and completes its messages later. Safe to call
    /// from any thread.
    void keep(AsyncReduction& reduction);
    void keep(AsyncLetter& letter);
    /// Takes over a broadcast; its communicator may live on. Safe to call from any thread.
    void keep(AsyncBroadcast& broadcast);
    /// True if all ranks count their calls, and therefore add up their summaries.
    bool sums_up() const { return sums_up_; }

    /// True if all ranks take part in the progress of their MPI library, or have a thread for it: nonblocking
    /// calls can be served.
    bool advances() const { return advances_; }
    /// True if all ranks see the program's MPI_Start, too: persistent calls can be served.
    bool sees_starts() const { return advances_ && sees_starts_; }

    /// The region of this rank's node, as far as known.
    Region region() const;
    /// Finds this rank's region by the names of hosts, unless it was told. Returns true, on all ranks with
    /// the same `regions`, if there are several. Requires: MPI_Init was not seen.
    bool find_region(const std::vector<Inhabitants>& regions);
    /// Takes over the regions of the ranks of a communicator, in which this rank is `rank`. All its ranks
    /// call it.
    void set_regions(const Placement& placement, int rank);
    /// A key of this node, equal exactly on ranks of `comm` on one node. Collective over `comm`, unless
    /// MPI_Init was seen.
    std::uint64_t node(MPI_Comm comm) const;

private:
    const Settings& settings_;
    const int rank_;
    bool copies_ = false, sums_up_ = false, sends_ = true, advances_ = false, sees_starts_ = false;
    std::unique_ptr<const OwnWorld> own_world_;
    std::unique_ptr<Channel> channel_;
    std::unique_ptr<ToldRoutes> told_routes_;
    mutable std::mutex mutex_;
    AsyncReduction async_reduction_;  // messages of communicators that have ended
    AsyncLetter async_letter_;
    AsyncBroadcasts async_broadcasts_;
    std::optional<std::uint64_t> node_;
    std::unique_ptr<JobMap> job_map_;
    std::optional<Hockney> seen_link_;
    Region told_, found_;
};

}  // namespace echelon
