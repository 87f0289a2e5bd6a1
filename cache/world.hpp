// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/budget.hpp"
#include "cache/heard_profile.hpp"
#include "cache/letters.hpp"
#include "cache/roll.hpp"
#include "cache/sayings.hpp"
#include "cache/settings.hpp"
#include "estimators/network/hockney.hpp"
#include "mpi/channel.hpp"
#include "mpi/comm.hpp"
#include "mpi/handout.hpp"
#include "mpi/told_routes.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace echelon {

/// What the ranks of MPI_COMM_WORLD settle in MPI_Init, once for all communicators: where they sit, what they were asked for, of
/// what ours are made.
class World {
public:
    /// Of this rank in it. `settings` must outlive it.
    World(const Settings& settings, int rank);

    /// MPI was initialised by this thread. `counts`: this rank counts its calls. Collective over MPI_COMM_WORLD.
    void settle(HeardProfile& profile, Budget& budget, Sayings& say, bool counts);
    /// MPI is about to end.
    void close();

    /// All its ranks have the library, as far as can be told.
    bool complete() const { return complete_; }
    /// What was settled; nullptr: MPI_Init was not seen, each communicator settles for itself.
    const Roll* roll() const { return roll_.get(); }
    /// nullptr: MPI_Init was not seen, or recipes go by the channel.
    const OwnWorld* own_world() const { return channel_ == nullptr ? own_world_.get() : nullptr; }
    /// From which our communicators are made; nullptr: from the program's.
    const OwnWorld* maker() const { return copies_ ? own_world() : nullptr; }
    /// What a message between two nodes was seen to take, where nothing better is known; nullopt: nobody saw any.
    const std::optional<Hockney>& seen_link() const { return seen_link_; }
    /// Over which everything goes, where no communicators may be made; nullptr: they may.
    Channel* channel() const { return channel_.get(); }
    /// Over which something may be handed out while calls on `user` go on; MPI_COMM_NULL: nothing may, since that would leave a trace on
    /// the program's communicator, or nobody saw it freed.
    MPI_Comm for_handouts(MPI_Comm user) const;
    /// For what is tried, and communicators whose ranks never talk together; nullptr: MPI_Init was not seen, or recipes go by the channel.
    ToldRoutes* told_routes() const { return told_routes_.get(); }
    /// Of a communicator that ends: nobody waits there for who has not written yet. Any thread.
    void keep(Letters& letters);
    /// The same; also of a communicator that lives on. Any thread.
    void keep(Handout& handout);
    /// All ranks count their calls: each helps with the others' summaries.
    bool sums_up() const { return sums_up_; }

    /// Where this rank's node is, as far as it is known.
    Region region() const;
    /// Whether ranks find theirs by those names of hosts, where nobody told them. The same on all ranks that call it with the
    /// same. Requires: MPI_Init was not seen.
    bool find_region(const std::vector<Inhabitants>& regions);
    /// The ranks of a communicator, in which this one is `rank`, sit so. On all of them.
    void set_regions(const Placement& placement, int rank);
    /// Equal exactly on ranks of `comm` on one node. Collective over `comm`, where it is not known yet.
    std::uint64_t node(MPI_Comm comm) const;

private:
    const Settings& settings_;
    const int rank_;
    bool complete_ = true, copies_ = false, sums_up_ = false;
    std::unique_ptr<const OwnWorld> own_world_;
    std::unique_ptr<Channel> channel_;
    std::unique_ptr<ToldRoutes> told_routes_;
    mutable std::mutex mutex_;
    Letters letters_;  // of communicators that have ended
    Handouts handouts_;
    std::optional<std::uint64_t> node_;
    std::unique_ptr<Roll> roll_;
    std::optional<Hockney> seen_link_;
    Region told_, found_;
};

}  // namespace echelon
