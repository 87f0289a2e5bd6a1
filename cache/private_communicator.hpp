// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_table.hpp"
#include "cache/process.hpp"
#include "mpi/meeting.hpp"
#include "mpi/open_window.hpp"
#include "mpi/pending_calls.hpp"

#include <map>
#include <utility>

namespace echelon {

/// Echelon's own communicator beside one of the user's, with the placement of its ranks, its divisions and
/// their shared memory. Each is made when a recipe first needs it. Communicators count against the process's
/// budget.
class PrivateCommunicator {
public:
    /// `plans` refer to objects made here, and are dropped with them. All arguments must outlive this.
    PrivateCommunicator(MPI_Comm user, Process& process, Meetings& meetings, PlanTable& plans);
    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Frees the communicators; only memory remains.
    void close();

    /// The placement of the ranks: their nodes, and with `topology` also their places inside nodes.
    /// Collective on first use, unless MPI_Init has found as much.
    const Placement& placement(bool nodes, bool topology);
    const Placement& placement(const Recipe& recipe) {
        return placement(needs_placement(recipe), needs_topology(recipe));
    }
    /// True if placement() would be local.
    bool knows_placement(bool nodes, bool topology) const;
    /// Sets the regions of the ranks; the locations stay. No effect if there are divisions, which were made
    /// with the earlier regions.
    void set_regions(const Placement& placement);
    /// Gathers a known placement again, unless there are divisions. Collective.
    void renew_regions();
    /// Takes over the results of MPI_Init; on MPI_COMM_WORLD also its copy (OwnWorld). Local.
    void learn(const JobMap& job_map);

    /// False if ranks of a node cannot share memory, or must not, or if an attempt failed. Equal on all
    /// ranks.
    bool may_have_windows() const;
    /// True if windows of the recipe must still be opened. Requires: its placement is known.
    bool misses_windows(const Recipe& recipe, Collective collective) const {
        return !no_windows_ && needs_of(recipe, collective, placement_).windows_beyond(windows_);
    }
    /// True if all ranks are known to be on one node, and may_have_windows(). Equal on all ranks.
    bool may_share_memory();
    /// True if calls of the recipe should use shared memory, but send messages because windows could not be
    /// opened.
    bool lacks_windows(const Recipe& recipe, Collective collective) const;
    /// The shape of the windows; nothing if they could not be opened.
    std::optional<WindowShape> window_shape() const {
        return no_windows_ ? std::nullopt : std::optional(WindowShape{.expose_from = expose_from_});
    }

    /// Number of communicators that the recipe's first call would make. Requires: its placement is known.
    int missing_communicators(const Recipe& recipe, Collective collective) const;
    /// True if the recipe lacks only a route for messages, and rank 0 can broadcast one (ToldRoutes). For
    /// rank 0. Requires: the recipe's placement is known.
    bool waits_for_told_route(const Recipe& recipe, Collective collective) const;
    /// True if the recipe has everything that it needs for these calls, or can never serve them.
    bool is_provided(const Recipe& recipe, const PlanKey& key);
    /// `trial`: recipes that are only tried, or decided before a call uses them. They make no communicators
    /// for their parts, which would cost the time of many calls, except for native phases. Recipes on a route
    /// that rank 0 broadcast make none either.
    enum class Purpose : bool { use, trial };
    /// Makes everything that the recipe needs for these calls. lack() tells the reason if that fails.
    /// Collective.
    void provide(const Recipe& recipe, const PlanKey& key, Purpose purpose = Purpose::use);
    /// Like provide(), but without communication: over the existing route, without new communicators or
    /// windows. False: that is not enough for the recipe. Local; equal on all ranks.
    bool provide_alone(const Recipe& recipe, const PlanKey& key);
    /// The result of provide_alone(), without its effect.
    bool can_provide_alone(const Recipe& recipe, const PlanKey& key);
    /// True if there is a route for messages of recipes.
    bool has_route() const { return whole_ != nullptr; }
    /// Uses this route until a recipe needs a communicator or windows. Requires: !has_route(); the same route
    /// on all ranks.
    void take_route(const Route& route);
    /// Requires: has_route().
    const Route& route() const { return whole_->team.route(); }
    /// Makes everything that these phases need. Error, on all ranks: a need that cannot be met. Collective,
    /// but local if everything exists.
    void provide(const Recipe& recipe, const Phase& phase, Purpose purpose = Purpose::use);
    /// The reason why the last provide() for the recipe failed; empty if it succeeded.
    std::string lack(const Recipe& recipe, Collective collective) const {
        const auto found = lacks_.find({collective, to_string(recipe)});
        return found == lacks_.end() ? "" : found->second;
    }
    void forget_lacks() { lacks_.clear(); }

    /// Tags for the next nonblocking collective, equal on all ranks. Requires: has_route().
    TagRange take_tags(int count);
    /// Tags for the next persistent collective, and their communicator; null, on all ranks: none is left for
    /// it. Collective.
    PersistentTags take_persistent_tags(int count);
    /// Waits until the nonblocking collectives on the route have ended.
    void finish_pending_calls();

    // The next four functions require has_route().
    MpiTeam& team() { return whole_->team; }
    Memory& memory() { return whole_->memory; }
    FirstError& first_error() { return whole_->first_error; }
    Loopback loopback() const { return whole_->team.route().loopback(); }
    /// The private communicator. MPI_COMM_NULL: none is left, or messages use the channel. Collective on
    /// first use.
    MPI_Comm comm() {
        return ready() && process_.world().channel() == nullptr ? whole_->team.route().comm : MPI_COMM_NULL;
    }

    const SplitCounters& split_counters() const { return split_counters_; }

private:
    /// The route of all ranks, and the objects that use it.
    struct Whole {
        Whole(Comm own, const Route& route, SplitCounters& counters)
            : comm(std::move(own)), memory(route.loopback()), team(route, memory, first_error, counters) {}
        Comm comm;  // null if the route belongs to the process
        Memory memory;
        FirstError first_error;
        MpiTeam team;
        /// Nonblocking calls take their tags in turn.
        int next_tag = Route::strands;
    };
    /// True if there is a route that rank 0 did not broadcast; makes it if there is none. Collective on first
    /// use.
    bool ready();
    /// A communicator of the ranks, with another of the budget; null, on all ranks: none is left. Collective.
    Comm try_comm();
    /// True if messages alone, with translated ranks, meet these needs.
    bool takes_messages_alone(const Needs& needs) const {
        return !needs.native && (no_windows_ || !needs.windows_beyond(windows_));
    }
    /// True if all needs are met on the present route.
    bool has(const Needs& needs) const;
    void make(const Recipe& recipe, const Phase& phase, Purpose purpose, const Needs& needs);
    void make_whole(Comm own, const Route& route);
    bool open_channel(Channel& channel);
    /// Replaces the route that rank 0 broadcast, and repeats its divisions on the new route. Local.
    void leave_told_route(Comm own, const Route& route);
    /// True if native phases need communicators on divisions that trials made without them.
    bool outgrown(const Needs& needs) const;
    void drop_tried(const Needs& needs);
    void forget(const Groups& dropped);
    /// Sets the numbers of communicators that this object holds in the process's budget.
    void hold(int wholes, int parts);
    /// Opens all needed windows. If one fails on any rank, all windows are closed and none is opened again.
    /// Long vectors are read in place in all windows or in none. Collective.
    void open_windows(const Needs& needs);
    /// Returns true if all ranks may hold the missing communicators; drops old divisions to make room.
    /// Collective.
    bool afford(const Needs& needs);
    /// True if all ranks say `yes`. `common` must be equal on all ranks. Collective.
    bool all_agree(bool yes, std::uint64_t common, Place place = Place::current());

    const MPI_Comm user_;
    Process& process_;
    Meetings& meetings_;
    PlanTable& plans_;
    const int rank_, size_;
    SplitCounters split_counters_;
    Placement placement_;
    bool knows_nodes_ = false, knows_topology_ = false;
    std::unique_ptr<Whole> whole_;
    // Persistent calls keep these, too.
    std::shared_ptr<PersistentRoute> persistent_;
    std::shared_ptr<MPI_Comm> persistent_user_ = std::make_shared<MPI_Comm>(user_);
    bool route_was_told_ = false;
    int wholes_held_ = 0, parts_held_ = 0;  // communicators in the process's budget
    Needs divided_, complete_;  // divisions that exist, and the ones with communicators on all ranks
    Needs tried_;               // divisions without communicators, because they were only tried
    Needs windows_;             // windows that were asked for
    Bytes expose_from_ = WindowShape::never;  // of all windows
    bool no_windows_ = !memory_is_shared;     // windows cannot be opened: messages replace them
    std::map<std::pair<Collective, std::string>, std::string> lacks_;  // reasons of failed provide()
};

}  // namespace echelon
