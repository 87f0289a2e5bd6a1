// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/agenda.hpp"
#include "cache/contests.hpp"
#include "cache/hints.hpp"
#include "cache/known_machine.hpp"
#include "cache/letters.hpp"
#include "cache/meanwhile.hpp"
#include "cache/own_side.hpp"
#include "cache/plan_table.hpp"
#include "cache/process.hpp"
#include "cache/requests.hpp"
#include "cache/told_choices.hpp"
#include "mpi/handout.hpp"
#include "mpi/meeting.hpp"

#include <memory>

namespace echelon {

/// All that Echelon keeps for one of the user's communicators, as an attribute of it: found without a table,
/// not copied with it, gone with it. Its parts are spoken to themselves; what it does by itself is what concerns several of
/// them. One thread at a time, as MPI demands of collectives on a communicator.
class State {
public:
    /// The state of a communicator, made on first use. Nullptr where MPI does not run: before initialisation,
    /// after MPI_Finalize. Local.
    static State* of(MPI_Comm comm);
    /// Nullptr if there is none yet. Local.
    static State* known(MPI_Comm comm);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    int rank() const { return own_.rank(); }
    int size() const { return own_.size(); }
    MPI_Comm user() const { return user_; }
    Process& process() { return process_; }
    /// Several ranks that began together, in one group: Echelon has a part. Else `unserved` says why not.
    bool serves() const { return !unserved_; }
    std::optional<Bypass> unserved() const { return unserved_; }

    // Its parts.
    OwnSide& own() { return own_; }
    const OwnSide& own() const { return own_; }
    PlanTable& plans() { return plans_; }
    const PlanTable& plans() const { return plans_; }
    const CallClasses& classes() const { return classes_; }
    Agenda& agenda() { return agenda_; }
    const Agenda& agenda() const { return agenda_; }
    const Requests& requests() const { return requests_; }
    Hints& hints() { return hints_; }
    ToldChoices& told() { return told_; }
    Contests& contests() { return contests_; }
    const Contests& contests() const { return contests_; }
    Letters& letters() { return letters_; }
    Handout& handout() { return handout_; }
    KnownMachine& machine() { return machine_; }
    const KnownMachine& machine() const { return machine_; }
    Meanwhile& meanwhile() { return meanwhile_; }
    Meetings& meetings() { return meetings_; }
    Tally& tally() { return tally_; }

    /// Compares what the ranks were asked for, and lets them hear of the profile, unless that was done. Collective.
    void settle();
    /// Info keys were given: what the ranks were asked for is compared again.
    void keys_changed();
    /// From now on calls go by this profile; nullptr: by none. `brief` as KnownMachine means it: what trials found to be faster than native stays.
    /// Collective, the same on all ranks.
    void set_profile(std::shared_ptr<const Profile> profile, bool brief = false);
    /// What was worked out, told and tried is forgotten; what was asked for and found stays.
    void clear_plans();
    /// What was counted; with the communicator's name while MPI runs.
    CommunicatorRecord record(bool mpi_runs) const;

    /// Leaves the communicator, which may stay alive after all; then attach(). `keys`: what info keys ask
    /// for.
    void detach();
    void attach(const Settings* keys);
    bool is_detached() const { return detached_; }
    /// Frees the communicators; afterwards only memory is left.
    void close();

private:
    State(MPI_Comm user, Process& process);
    /// Takes over what is known since MPI_Init. Local.
    void look_up();
    /// What was worked out and told.
    void forget_told();
    /// As KnownMachine::set().
    void set_machine(std::shared_ptr<const LateProfile> profile, bool brief = false);
    /// Rank 0's profile for those that have not heard of it. Collective.
    std::shared_ptr<const KnownProfile> share_profile(const std::shared_ptr<const KnownProfile>& own);

    MPI_Comm user_;
    Meetings meetings_{user_};
    Process& process_;
    PlanTable plans_;
    CallClasses classes_;
    Agenda agenda_{plans_, classes_};
    OwnSide own_{user_, process_, meetings_, plans_};
    Letters letters_;
    Handout handout_;
    ToldChoices told_{classes_};
    Requests requests_{user_, process_};
    KnownMachine machine_{process_, own_};
    Meanwhile meanwhile_{plans_};
    Contests contests_{process_.settings().trial_percent, classes_};
    Hints hints_;
    Tally tally_;
    std::optional<Bypass> unserved_;  // why nothing is served here
    bool detached_ = false;
};

}  // namespace echelon
