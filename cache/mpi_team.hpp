// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/needs.hpp"
#include "hier/phase.hpp"
#include "hier/team.hpp"
#include "mpi/comm.hpp"
#include "mpi/mpi_link.hpp"
#include "mpi/native.hpp"
#include "mpi/shared_window.hpp"

#include <memory>
#include <optional>

namespace echelon {

/// What dividing a communicator has cost so far.
struct SplitCounters {
    long splits = 0;      ///< Sub-communicators made by this rank: two a division.
    long translated = 0;  ///< Divisions that got no communicators of their own.
    long hits = 0;        ///< Divisions asked for again.
    double seconds = 0;   ///< Spent in MPI_Comm_split.
};

/// A team over MPI: our private copy of the user's communicator, or a part of it. Its divisions are made
/// before the first call that needs them, and kept: two splits for each groups, one by group and one by
/// position, serve every root.
class MpiTeam final : public Team {
public:
    /// The whole, whose route stays the caller's. Memory, error and counters must outlive the team.
    MpiTeam(Route route, Memory& memory, FirstError& first_error, SplitCounters& counters);

    Link& link() override { return link_; }
    MpiLink& mpi_link() { return link_; }
    const Placement& placement() const override { return placement_; }
    /// When more is known about where ranks sit; here and below.
    void set_placement(Placement placement);
    void native(Collective collective, const Args& args) override { native_(collective, args); }

    /// What the parts of a division have of the MPI library: a communicator each, or, where these have run
    /// out or something is only tried, nothing: they talk over the communicator above with their ranks translated,
    /// and native phases cannot run on them.
    enum class Parts { communicators, translated };
    /// Makes the divisions that the phases need, for whichever root, and that are not there; translated where
    /// the library has no communicator left. Collective.
    void divide(const Phase& phase, Parts parts);
    /// The same divisions as another team of these ranks has, translated. Requires: it has none. Local.
    void divide_like(const MpiTeam& other);
    /// Opens the windows that are needed and not there, where all ranks of a team sit on one node. Collective.
    void open_windows(const Needs& needs, Boards& boards);
    /// This rank can read and write the memory of all with whom it has windows.
    bool reaches_peers() const;
    /// What windows expose: WindowShape::expose_from. Alike on all ranks.
    void expose_from(Bytes bytes);
    /// Gives all of them up. Alike on all ranks.
    void close_windows();
    /// Those that should have been opened are.
    bool windows_open(const Needs& needs);
    /// Requires: it was made. Local.
    const Split& split(const Groups& groups) override { return division(groups).split; }
    MpiTeam& inside(const Groups& groups) { return *division(groups).inside; }
    MpiTeam& across(const Groups& groups) { return *division(groups).across; }

    PhaseListener* listener() override { return listener_; }
    /// Here and in divisions that are made afterwards.
    void tell(PhaseListener* listener) { listener_ = listener; }

    bool has_communicator() const { return own_.get() != MPI_COMM_NULL; }
    const Route& route() const { return route_; }
    /// The parts that this rank has in these phases have communicators to themselves.
    bool complete(const Phase& phase) const;
    /// Communicators that this team's divisions hold.
    int communicators() const;

    /// Gives up this division, if there is one. Collective, alike on all ranks.
    void drop(const Groups& groups);
    /// Gives up the division that was used longest ago, but what is needed; returns it. Collective, alike on
    /// all ranks.
    std::optional<Groups> drop_oldest(const Needs& needed);
    /// At the beginning of a call, here and below: the memory's element size.
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
    /// The team on which part number `part` of a shape runs; nullptr where this rank has no place there.
    MpiTeam* of_part(const Phase& phase, int part) const;
    std::unique_ptr<MpiTeam> part(std::span<const int> members, int own, Comm made);

    Comm own_;
    Route route_;
    Memory& memory_;
    FirstError& first_error_;
    SplitCounters& counters_;
    MpiLink link_;
    SharedWindow* window_ = nullptr;  // the link's, where it has one
    Native native_;
    Placement placement_;
    PhaseListener* listener_ = nullptr;
    std::vector<std::unique_ptr<Division>> divisions_;
    long clock_ = 0;
};

}  // namespace echelon
