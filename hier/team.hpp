// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recorder.hpp"
#include "flat/algorithm.hpp"
#include "groups/groups.hpp"

namespace echelon {

class Team;
struct Phase;

/// Receives each phase as it runs.
class PhaseListener {
public:
    virtual ~PhaseListener() = default;
    virtual void began(const Phase& phase, Team& team, const Args& args) = 0;
    /// The phase of this thread that began last has ended.
    virtual void ended() = 0;
};

/// A divided team: the own group, and the ranks at the own position of all groups that are large enough.
struct Split {
    Partition partition;
    Team* inside;
    Team* across;
};

/// A communicator as recipes see it: a link, and its divisions.
class Team {
public:
    virtual ~Team() = default;

    virtual Link& link() = 0;
    /// The location of each rank of this team.
    virtual const Placement& placement() const = 0;
    /// The division by these groups. Collective on first use, in the same order on all ranks. One division
    /// serves any root.
    virtual const Split& split(const Groups& groups) = 0;
    /// The MPI library's own collective.
    virtual void native(Collective collective, const Args& args) = 0;
    /// The recorder on which phases can be laid side by side; `nullptr` if the team communicates.
    virtual Recorder* recorder() { return nullptr; }
    /// The listener of phases; `nullptr`: none.
    virtual PhaseListener* listener() { return nullptr; }
};

}  // namespace echelon
