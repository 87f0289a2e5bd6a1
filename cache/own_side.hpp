// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_table.hpp"
#include "cache/process.hpp"
#include "mpi/meeting.hpp"
#include "mpi/open_window.hpp"

#include <map>
#include <utility>

namespace echelon {

/// Our side of one of the user's communicators: who sits where, our own communicator and its divisions, the memory that ranks share. All of
/// it is made when a recipe first needs it, and counted against the process's budget.
class OwnSide {
public:
    /// `plans` point into what is made here: they are forgotten when something goes. All outlive it.
    OwnSide(MPI_Comm user, Process& process, Meetings& meetings, PlanTable& plans);
    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Gives back what it holds; afterwards only memory is left.
    void close();

    /// Who sits where. Collective on first use of what is asked for, but where that is known since MPI_Init.
    const Placement& placement(bool nodes, bool topology);
    const Placement& placement(const Recipe& recipe) {
        return placement(needs_placement(recipe), needs_topology(recipe));
    }
    bool knows_placement(bool nodes, bool topology) const;
    /// The same locations in regions that are known now. Not heard where parts were made: these know what was known before.
    void set_regions(const Placement& placement);
    /// They are asked for again where they were known, unless parts were made. Collective.
    void renew_regions();
    /// What MPI_Init has told. Local.
    void learn(const Roll& roll);

    /// Ranks of a node can share memory as far as that was tried. The same on all of them.
    bool may_have_windows() const;
    /// Some that a recipe needs are yet to be opened. Requires: its placement is known.
    bool misses_windows(const Recipe& recipe, Collective collective) const {
        return !no_windows_ && needs_of(recipe, collective, placement_).windows_beyond(windows_);
    }
    /// All ranks are known to sit on one node, and can share memory as far as that was tried. The same on all of
    /// them.
    bool may_share_memory();
    /// Such calls were to pass through memory that ranks share, and go by messages: some have none.
    bool lacks_windows(const Recipe& recipe, Collective collective) const;
    /// Nothing where ranks have no windows.
    std::optional<WindowShape> window_shape() const {
        return no_windows_ ? std::nullopt : std::optional(WindowShape{.expose_from = expose_from_});
    }

    /// How many communicators a recipe's first call would make. Requires: its placement is known.
    int missing_communicators(const Recipe& recipe, Collective collective) const;
    /// It needs a way for messages that can be told, and nothing else of the library. Requires: its placement is known. Rank 0 asks.
    bool waits_for_told_route(const Recipe& recipe, Collective collective) const;
    /// All that a recipe needs for such calls is there, or it can never serve them.
    bool is_provided(const Recipe& recipe, const PlanKey& key);
    /// What is only tried, or told before any call asks for it, makes no communicators for its parts, which take as long as many a call, but
    /// where native phases need them; nor does what is used over a told route.
    enum class Purpose : bool { use, trial };
    /// Makes it, as far as it can be had. Collective.
    void provide(const Recipe& recipe, const PlanKey& key, Purpose purpose = Purpose::use);
    /// The same for ranks that do not talk: without communicators and windows, over a route that was told or is there. False: it
    /// cannot be had so. Local, the same on all ranks.
    bool provide_alone(const Recipe& recipe, const PlanKey& key);
    bool can_provide_alone(const Recipe& recipe, const PlanKey& key);
    /// Messages of recipes have a way.
    bool has_route() const { return whole_ != nullptr; }
    /// They go that way until something is provided that needs a communicator or windows. Requires: !has_route(). The same on all ranks.
    void take_route(const Route& route);
    /// Requires: has_route().
    const Route& route() const { return whole_->team.route(); }
    /// Makes it for these phases. Error, alike on all ranks: what cannot be had. Collective, but local where all of it is there.
    void provide(const Recipe& recipe, const Phase& phase, Purpose purpose = Purpose::use);
    /// Why it could not be had when it was last asked for; empty if it could.
    std::string lack(const Recipe& recipe, Collective collective) const {
        const auto found = lacks_.find({collective, to_string(recipe)});
        return found == lacks_.end() ? "" : found->second;
    }
    void forget_lacks() { lacks_.clear(); }

    /// Requires of these four: something was provided.
    MpiTeam& team() { return whole_->team; }
    Memory& memory() { return whole_->memory; }
    FirstError& first_error() { return whole_->first_error; }
    Loopback loopback() const { return whole_->team.route().loopback(); }
    /// MPI_COMM_NULL where none is left. Collective on first use.
    MPI_Comm comm() {
        return ready() && process_.world().channel() == nullptr ? whole_->team.route().comm : MPI_COMM_NULL;
    }

    const SplitCounters& split_counters() const { return split_counters_; }

private:
    struct Whole {
        Whole(Comm own, const Route& route, SplitCounters& counters)
            : comm(std::move(own)), memory(route.loopback()), team(route, memory, first_error, counters) {}
        Comm comm;  // null where the route is one of the process's
        Memory memory;
        FirstError first_error;
        MpiTeam team;
    };
    bool ready();
    /// Only messages, whose ranks are translated.
    bool takes_messages_alone(const Needs& needs) const {
        return !needs.native && (no_windows_ || !needs.windows_beyond(windows_));
    }
    /// All of that is there, over the way that messages go.
    bool has(const Needs& needs) const;
    void make(const Recipe& recipe, const Phase& phase, Purpose purpose, const Needs& needs);
    void make_whole(Comm own, const Route& route);
    bool open_channel(Channel& channel);
    /// What was provided over it goes by messages over that one, with the same divisions. Local.
    void leave_told_route(Comm own, const Route& route);
    /// Divisions that were tried, and that the native phases of a recipe need communicators for.
    bool outgrown(const Needs& needs) const;
    void drop_tried(const Needs& needs);
    void forget(const Groups& dropped);
    /// Tells the process how many communicators this side holds.
    void hold(int wholes, int parts);
    /// Opens the windows that a recipe wants: all of them, or none for as long as this side lives. In all of
    /// them long vectors are read where they lie, or in none.
    void open_windows(const Needs& needs);
    /// Whether all ranks can hold the communicators that are missing; drops old divisions first. Collective.
    bool afford(const Needs& needs);
    /// `common`: what must be the same on all ranks here.
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
    bool route_was_told_ = false;
    int wholes_held_ = 0, parts_held_ = 0;  // communicators, as the process counts them
    Needs divided_, complete_;  // divisions that were made, and those that have communicators on all ranks
    Needs tried_;               // those that have none since they were only tried
    Needs windows_;             // those that were asked for
    Bytes expose_from_ = WindowShape::never;  // in all of them
    bool no_windows_ = !memory_is_shared;     // they could not be had: messages go instead
    std::map<std::pair<Collective, std::string>, std::string> lacks_;  // what could not be had, and why
};

}  // namespace echelon
