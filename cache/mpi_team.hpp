// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/needs.hpp"
#include "hier/phase.hpp"
#include "hier/team.hpp"
#include "mpi/comm.hpp"
#include "mpi/mpi_link.hpp"
#include "mpi/native.hpp"
#include "mpi/shared_window.hpp"
#include "report/split_counters.hpp"

#include <memory>
#include <optional>

namespace echelon {

/// A team over MPI: the ranks of a private communicator, or a part of them. Its divisions are made before the
/// first call that needs them, and kept. Two splits per division, one by group and one by position, serve
/// every root.
class MpiTeam final : public Team {
public:
    /// The team of all ranks. The caller owns the route's communicator. Memory, error and counters must
    /// outlive the team.
    MpiTeam(Route route, Memory& memory, FirstError& first_error, SplitCounters& counters);

    Link& link() override { return link_; }
    MpiLink& mpi_link() { return link_; }
    const Placement& placement() const override { return placement_; }
    /// Replaces the placement, here and in all divisions. Local.
    void set_placement(Placement placement);
    void native(Collective collective, const Args& args) override { native_(collective, args); }

    /// The way in which the parts of a division communicate. `communicators`: each part has its own.
    /// `translated`: none are left, or the recipe is only tried; parts then use the communicator above with
    /// translated ranks, and cannot run native phases.
    enum class Parts { communicators, translated };
    /// Makes the missing divisions that the phases need, for any root; translated if the library has no
    /// communicator left. Collective unless `parts` is `translated`.
    void divide(const Phase& phase, Parts parts);
    /// Makes the divisions of another team of the same ranks, translated. Requires: this team has none.
    /// Local.
    void divide_like(const MpiTeam& other);
    /// Opens the missing windows, in teams whose ranks are all on one node. Collective.
    void open_windows(const Needs& needs, Boards& boards);
    /// True if this rank can read and write the memory of all ranks with which it shares windows.
    bool reaches_peers() const;
    /// Sets WindowShape::expose_from of all windows. Requires: the same value on all ranks.
    void expose_from(Bytes bytes);
    /// Closes all windows. All ranks call it.
    void close_windows();
    /// True if the needed windows of all teams on one node are open.
    bool windows_open(const Needs& needs);
    /// The division by these groups. Requires: it exists. Local.
    const Split& split(const Groups& groups) override { return division(groups).split; }
    MpiTeam& inside(const Groups& groups) { return *division(groups).inside; }
    MpiTeam& across(const Groups& groups) { return *division(groups).across; }

    PhaseListener* listener() override { return listener_; }
    /// Sets the listener, here and for divisions that are made later.
    void tell(PhaseListener* listener) { listener_ = listener; }

    bool has_communicator() const { return own_.get() != MPI_COMM_NULL; }
    const Route& route() const { return route_; }
    /// True if all parts in which this rank runs these phases have communicators of their own.
    bool complete(const Phase& phase) const;
    /// Number of communicators that this team's divisions hold.
    int communicators() const;

    /// Drops this division, if it exists. Collective; the same groups on all ranks.
    void drop(const Groups& groups);
    /// Drops the least recently used division that is not needed, and returns its groups; nothing if there is
    /// none. Collective; the same result on all ranks.
    std::optional<Groups> drop_oldest(const Needs& needed);
    /// Begins a call, here and in all divisions: takes over the memory's element size.
    void begin();

private:
    struct Division {
        Groups groups;
        Split split;
        std::unique_ptr<MpiTeam> inside, across;
        long last_use = 0;
    };
    MpiTeam(Comm own, Route route, const MpiTeam& parent, Placement placement);
    Division* find(const Groups& groups) const;
    bool could_share() const { return link_.size() > 1 && placement_.node_count() == 1; }
    Division& division(const Groups& groups);
    void make(const Groups& groups, Parts parts);
    /// The team that runs part number `part` of a shape; null if this rank has no place there.
    MpiTeam* of_part(const Phase& phase, int part) const;
    std::unique_ptr<MpiTeam> part(std::span<const int> members, int own, Comm made);

    Comm own_;
    Route route_;
    Memory& memory_;
    FirstError& first_error_;
    SplitCounters& counters_;
    MpiLink link_;
    SharedWindow* window_ = nullptr;  // owned by the link; null if it has none
    Native native_;
    Placement placement_;
    PhaseListener* listener_ = nullptr;
    std::vector<std::unique_ptr<Division>> divisions_;
    long clock_ = 0;
};

}  // namespace echelon
