// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recorder.hpp"
#include "flat/algorithm.hpp"
#include "groups/groups.hpp"

namespace echelon {

class Team;
struct Phase;

/// Hears of each phase as it runs.
class PhaseListener {
public:
    virtual ~PhaseListener() = default;
    virtual void began(const Phase& phase, Team& team, const Args& args) = 0;
    /// The one that began last, of this thread.
    virtual void ended() = 0;
};

/// A team's ranks divided: the own group, and the ranks at the own position of all groups that are large
/// enough.
struct Split {
    Partition partition;
    Team* inside;
    Team* across;
};

/// A communicator as recipes see it: a link, and how to divide it.
class Team {
public:
    virtual ~Team() = default;

    virtual Link& link() = 0;
    /// Who sits where, by rank of this team.
    virtual const Placement& placement() const = 0;
    /// Collective on first use of these groups; the same order on all ranks. Any root is served by the same
    /// split.
    virtual const Split& split(const Groups& groups) = 0;
    /// The MPI library's own collective.
    virtual void native(Collective collective, const Args& args) = 0;
    /// Where phases can be laid side by side, or nullptr where things are just done.
    virtual Recorder* recorder() { return nullptr; }
    /// Nullptr: nobody wants to know.
    virtual PhaseListener* listener() { return nullptr; }
};

}  // namespace echelon
