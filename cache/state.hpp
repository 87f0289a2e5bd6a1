// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/agenda.hpp"
#include "cache/contests.hpp"
#include "cache/hints.hpp"
#include "cache/own_side.hpp"
#include "cache/plan_table.hpp"
#include "cache/process.hpp"
#include "cache/told_choices.hpp"
#include "estimators/choice/advisor.hpp"
#include "mpi/meeting.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace echelon {

/// All that Echelon keeps for one of the user's communicators, as an attribute of it: found without a table,
/// not copied with it, gone with it. One thread at a time, as MPI demands of collectives on a communicator.
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
    OwnSide& own() { return own_; }
    const OwnSide& own() const { return own_; }
    PlanTable& plans() { return plans_; }
    const PlanTable& plans() const { return plans_; }
    /// Leaves the communicator, which may stay alive after all; then attach(). `keys`: what info keys ask
    /// for.
    void detach();
    void attach(const Settings* keys);
    bool is_detached() const { return detached_; }
    Process& process() { return process_; }
    /// Several ranks that began together, in one group: Echelon has a part.
    bool serves() const { return !unserved_; }
    /// The ranks were asked for different things; they go native.
    bool at_odds() const { return at_odds_; }

    Hints& hints() { return hints_; }
    /// What info keys ask for here; nullptr for nothing.
    const Settings* keys() const { return keys_; }
    /// Info keys were given, perhaps different ones on different ranks: they hold when the ranks have
    /// settled.
    void keys_changed();

    /// What the ranks were asked for was compared, in MPI_Init or by settle(). Until then calls go native.
    bool settled() const { return settled_; }
    /// Compares it. Collective.
    void settle();
    /// What waits for a call in which ranks may talk.
    Agenda& agenda() { return agenda_; }
    const Agenda& agenda() const { return agenda_; }
    /// What waits there is taken up: calls that nobody has decided are looked at anew. Returns these.
    std::vector<PlanKey> take_business();
    /// A call that waits for nobody could not be decided, or served, by what is known; it is the library's.
    Plan& postpone(const PlanKey& key);
    /// The ranks have times of such calls to exchange.
    void note_settlement(const PlanKey& key, Contest& contest);
    /// Ranks are about to talk to each other here; `common` must be the same on all of them.
    void meet(std::uint64_t common, Place place = Place::current()) { meetings_(common, place); }
    /// Lets the ranks exchange what trials took, and forgets the plans of calls of which something was found.
    /// Collective.
    void settle_contests();

    /// All that calls may do is allowed to wait for the others: a collective function of Echelon's runs.
    void set_together(bool on) { together_ = on; }
    bool together() const { return together_ || override_ != nullptr; }

    /// What the profile makes of calls here. Nullptr: there is no profile. Collective on first use, but where
    /// placement(true, true) was asked for.
    Advisor* advisor();
    /// Nullptr: none. Collective, the same on all ranks.
    /// `brief`: it is of a machine that was looked at for an instant.
    void set_profile(std::shared_ptr<const Profile> profile, bool brief = false);
    /// There is one that is more than that.
    bool is_calibrated() const { return profile_ != nullptr && !brief_; }
    const std::shared_ptr<const Profile>& profile() const { return profile_; }

    ToldChoices& told() { return told_; }
    Contests& contests() { return contests_; }
    const Contests& contests() const { return contests_; }
    const Outcome* finding(const PlanKey& key) const { return contests_.finding(CallClass::of(key)); }
    /// The percentage of the time in such calls that trials may take.
    int trial_percent(const PlanKey& key) const {
        return contests_.percent(key, process_.settings().trial_percent);
    }
    void set_trials(Collective collective, ByteRange sizes, int percent);

    /// A recipe that calls run instead of what is chosen, to be measured; nullptr: none. Plans of different
    /// numbers live beside each other.
    struct Override {
        std::uint16_t number = 0;
        Recipe recipe = {};
    };
    void override_by(const Override* instead) {
        override_ = instead;
        plans_.look_again();
    }
    const Override* overridden_by() const { return override_; }

    /// Its machine was measured briefly, or could not be.
    bool was_looked_at() const { return looked_at_; }
    void set_looked_at() { looked_at_ = true; }

    /// Counts a call that went to the library before a recipe was asked for.
    void bypassed(Collective collective, Bypass why) {
        if (process_.counts()) tally_.bypassed(collective, why);
    }
    /// Requires: not serves().
    void bypassed(Collective collective) { bypassed(collective, *unserved_); }
    /// What was counted; with the communicator's name while MPI runs.
    CommunicatorRecord record(bool mpi_runs) const;

    /// Makes the choice a plan. Error: the recipe cannot serve the call, alike on all ranks. Collective
    /// unless own().is_provided().
    Plan& make_plan(const PlanKey& key, Choice choice);
    void clear_plans();

    /// Frees the communicators; afterwards only memory is left.
    void close();

private:
    State(MPI_Comm user, Process& process);
    /// Takes over what is known since MPI_Init. Local.
    void look_up();
    /// By what is known since MPI_Init; for as long as the communicator lives.
    bool settings_differ() const;
    void say_at_odds();
    /// Rank 0's profile for those that have not heard of it. Collective.
    std::shared_ptr<const KnownProfile> share_profile(const std::shared_ptr<const KnownProfile>& own);

    MPI_Comm user_;
    Meetings meetings_{user_};
    Process& process_;
    PlanTable plans_;
    Agenda agenda_{plans_};
    OwnSide own_{user_, process_, meetings_, plans_};
    ToldChoices told_{process_.tables()};
    std::optional<Bypass> unserved_;  // why nothing is served here
    bool at_odds_ = false, settled_ = false, together_ = false;
    bool detached_ = false;
    const Settings* keys_ = nullptr;
    Tally tally_;
    Hints hints_;
    std::shared_ptr<const Profile> profile_;
    std::unique_ptr<Advisor> advisor_;
    const Override* override_ = nullptr;
    bool looked_at_ = false, brief_ = false;
    Contests contests_;
};

}  // namespace echelon
