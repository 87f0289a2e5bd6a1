// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/contests.hpp"
#include "cache/hints.hpp"
#include "cache/native_calls.hpp"
#include "cache/plan.hpp"
#include "cache/process.hpp"
#include "estimators/advisor.hpp"
#include "mpi/meeting.hpp"

#include <map>
#include <unordered_map>
#include <utility>

namespace echelon {

/// Plans of a communicator. The one that was found last is found again without a search.
class PlanTable {
public:
    using Map = std::unordered_map<PlanKey, Plan, PlanKeyHash>;

    Plan* find(const PlanKey& key) {
        if (last_ != nullptr && last_->first == key) return &last_->second;
        const auto found = plans_.find(key);
        if (found == plans_.end()) return nullptr;
        last_ = &*found;
        return &found->second;
    }
    /// Calls of which a native plan is known; forgotten with any plan.
    NativeCalls& native_calls() { return native_calls_; }
    Plan& put(const PlanKey& key, Plan plan) {
        return plans_.insert_or_assign(key, std::move(plan)).first->second;
    }
    template <class Condition>
    void erase_if(const Condition& condition) {
        last_ = nullptr;
        native_calls_.clear();
        std::erase_if(plans_, condition);
    }
    void clear() {
        last_ = nullptr;
        native_calls_.clear();
        plans_.clear();
    }
    const Map& all() const { return plans_; }

private:
    Map plans_;
    Map::value_type* last_ = nullptr;
    NativeCalls native_calls_;
};

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

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm user() const { return user_; }
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
    /// Something waits for a call in which ranks may talk: the same on all ranks, which make the same calls.
    bool has_business() const { return business_; }
    /// A call that waits for nobody could not be decided, or served, by what is known; it is the library's.
    Plan& postpone(const PlanKey& key);
    /// Such a call, which waits for nobody, could try this recipe if what that needs were made.
    void want(const Recipe& recipe, const PlanKey& key);
    std::vector<std::pair<Recipe, PlanKey>> take_wanted() { return std::exchange(wanted_, {}); }
    /// Calls of that class until somebody thinks about them; at first as many as are given.
    long& patience(const PlanKey& key, long at_first) {
        return patience_.try_emplace(CallClass::of(key), at_first).first->second;
    }
    /// The ranks have times of such calls to exchange.
    void note_settlement(const PlanKey& key, Contest& contest);
    /// Ranks are about to talk to each other here; `common` must be the same on all of them.
    void meet(std::uint64_t common, Place place = Place::current()) { meetings_(common, place); }
    /// Calls that nobody has decided, since this was asked; they are looked at anew.
    std::vector<PlanKey> take_business();
    /// Lets the ranks exchange what trials took, and forgets the plans of calls of which something was found.
    /// These calls. Collective.
    std::vector<CallClass> settle_contests();

    /// All that calls may do is allowed to wait for the others: a collective function of Echelon's runs.
    void set_together(bool on) { together_ = on; }
    bool together() const { return together_ || rehearsal_ != nullptr; }

    /// What the profile makes of calls here. Nullptr: there is no profile. Collective on first use, but where
    /// placement(true, true) was asked for.
    Advisor* advisor();
    /// Nullptr: none. Collective, the same on all ranks.
    void set_profile(std::shared_ptr<const Profile> profile);
    const std::shared_ptr<const Profile>& profile() const { return profile_; }

    /// What one rank has told all to run for such calls, and what could be better.
    struct Decision {
        Choice choice;
        /// The choice first; fewer than two: nothing is tried.
        std::vector<Tournament::Arm> arms = {};
    };
    const Decision* told(const PlanKey& key);
    void tell(const PlanKey& key, Decision decision) {
        told_.insert_or_assign(CallClass::of(key), std::move(decision));
    }
    /// The same for calls of up to twice the size, as long as nothing better is told.
    void tell_roughly(const PlanKey& key, Decision decision) {
        roughly_.insert_or_assign(CallClass::of(key), std::move(decision));
    }
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
    struct Rehearsal {
        std::uint16_t number = 0;
        Recipe recipe = {};
    };
    void rehearse(const Rehearsal* rehearsal) {
        rehearsal_ = rehearsal;
        look_again();
    }
    const Rehearsal* rehearsal() const { return rehearsal_; }

    /// Its machine was measured briefly, or could not be.
    bool was_looked_at() const { return looked_at_; }
    void set_looked_at() { looked_at_ = true; }

    const SplitCounters& split_counters() const { return split_counters_; }
    long plan_hits() const { return plan_hits_; }
    long plan_misses() const { return plan_misses_; }

    /// Calls of this collective always go to the library: known without looking at them. Until plans are
    /// cleared.
    bool always_native(Collective collective) const {
        return (always_native_ >> unsigned(collective) & 1) != 0;
    }
    void set_always_native(Collective collective) { always_native_ |= 1u << unsigned(collective); }
    /// This very call has a native plan, and needs no look.
    bool repeats_native(const PassedCall& call) { return plans_.native_calls().take(call); }
    /// Keeps it for that. Requires: the plan is native, and the call as sound as those that are asked about.
    void note_native(const PassedCall& call, long* left) { plans_.native_calls().add(call, left); }

    /// Counts a call that went to the library before a recipe was asked for.
    void bypassed(Collective collective, Bypass why) {
        if (process_.counts()) tally_.bypassed(collective, why);
    }
    /// Requires: not serves().
    void bypassed(Collective collective) { bypassed(collective, *unserved_); }
    /// What was counted; with the communicator's name while MPI runs.
    CommunicatorRecord record(bool mpi_runs) const;

    /// A hit costs nanoseconds and allocates nothing.
    Plan* find_plan(const PlanKey& key) {
        Plan* const found = plans_.find(key);
        if (found != nullptr) ++plan_hits_;
        return found;
    }
    /// Makes the choice a plan. Error: the recipe cannot serve the call, alike on all ranks. Collective
    /// unless is_provided().
    Plan& make_plan(const PlanKey& key, Choice choice);
    /// All that a recipe needs for such calls is there, or it can never serve them.
    bool is_provided(const Recipe& recipe, const PlanKey& key);
    /// Makes it, as far as it can be had. Collective.
    void provide(const Recipe& recipe, const PlanKey& key);
    /// Why it could not be had when it was last asked for; empty if it could.
    std::string lack(const Recipe& recipe, Collective collective) const {
        const auto found = lacks_.find({collective, to_string(recipe)});
        return found == lacks_.end() ? "" : found->second;
    }
    void forget_plan(const PlanKey& key) {
        plans_.erase_if([&](const auto& plan) { return plan.first == key; });
    }
    const PlanTable::Map& plans() const { return plans_.all(); }
    void clear_plans();

    /// Who sits where. Collective on first use of what is asked for, but where that is known since MPI_Init.
    const Placement& placement(bool nodes, bool topology);
    const Placement& placement(const Recipe& recipe) {
        return placement(needs_placement(recipe), needs_topology(recipe));
    }
    bool knows_placement(bool nodes, bool topology) const;

    /// All ranks are known to sit on one node, and can share memory as far as that was tried. The same on all of
    /// them.
    bool may_share_memory();
    /// Such calls were to pass through memory that ranks share, and go by messages: some have none.
    bool lacks_windows(const Recipe& recipe, Collective collective) const;

    /// How many communicators a recipe's first call would make. Requires: its placement is known.
    int missing_communicators(const Recipe& recipe, Collective collective) const;

    /// Only with a plan that is not native.
    MpiSite& site() { return whole_->site; }
    Memory& memory() { return whole_->memory; }
    Self self() const { return whole_->site.route().self(); }
    /// A communicator of ours; MPI_COMM_NULL where none is left. Collective on first use.
    MPI_Comm own_comm() { return ready() ? whole_->comm.get() : MPI_COMM_NULL; }

    /// Frees the communicators; afterwards only memory is left.
    void close();

private:
    State(MPI_Comm user, Process& process);
    /// Takes over what is known since MPI_Init. Local.
    void look_up();
    /// By what is known since MPI_Init; for as long as the communicator lives.
    bool settings_differ() const;
    void say_at_odds();
    /// Our private side of the communicator. Collective when it is made.
    struct Whole {
        Whole(Comm own, const Route& route, SplitCounters& counters)
            : comm(std::move(own)), memory(route.self()), site(route, memory, counters) {}
        Comm comm;  // null where the route is one of the process's channel
        Memory memory;
        MpiSite site;
    };
    bool ready();
    bool open_channel(Channel& channel);
    /// Rank 0's profile for those that have not heard of it. Collective.
    std::shared_ptr<const KnownProfile> share_profile(const std::shared_ptr<const KnownProfile>& own);
    /// Every call must be looked at from now on.
    void look_again() {
        always_native_ = 0;
        plans_.native_calls().clear();
    }
    /// Tells the process how many communicators this state holds.
    void hold(int wholes, int parts);
    /// Makes what a recipe needs: our side of the communicator, and divisions. Error, alike on all ranks:
    /// what cannot be had. Collective.
    void make_room(const Recipe& recipe, const Phase& phase);
    /// Opens the windows that a recipe wants: all of them, or none for as long as this state lives.
    void open_windows(const Needs& needs);
    std::optional<WindowShape> window_shape() const {
        return no_windows_ ? std::nullopt : std::optional(WindowShape());
    }
    /// Whether all ranks can hold the communicators that are missing; drops old divisions first. Collective.
    bool afford(const Needs& needs);
    /// `common`: what must be the same on all ranks here.
    bool all_agree(bool yes, std::uint64_t common, Place place = Place::current());

    MPI_Comm user_;
    Meetings meetings_{user_};
    Process& process_;
    int rank_, size_;
    std::optional<Bypass> unserved_;  // why nothing is served here
    bool at_odds_ = false, settled_ = false, business_ = false, together_ = false;
    bool detached_ = false;
    unsigned always_native_ = 0;
    std::map<CallClass, long> patience_;
    std::map<CallClass, PlanKey> undecided_;
    std::vector<std::pair<Recipe, PlanKey>> wanted_;
    std::map<CallClass, Decision> told_, roughly_;
    bool table_was_read_ = false;
    std::map<std::pair<Collective, std::string>, std::string> lacks_;  // what could not be had, and why
    const Settings* keys_ = nullptr;
    Tally tally_;
    int wholes_held_ = 0, parts_held_ = 0;  // communicators, as the process counts them
    Hints hints_;
    std::shared_ptr<const Profile> profile_;
    std::unique_ptr<Advisor> advisor_;
    const Rehearsal* rehearsal_ = nullptr;
    bool looked_at_ = false;
    Contests contests_;
    SplitCounters split_counters_;
    Placement placement_;
    bool knows_nodes_ = false, knows_topology_ = false;
    std::unique_ptr<Whole> whole_;
    Needs divided_, complete_;  // divisions that were made, and those that have communicators on all ranks
    Needs windows_;             // those that were asked for
#ifdef ECHELON_SMPI
    bool no_windows_ = true;  // simulated ranks have no time for what passes through memory
#else
    bool no_windows_ = false;  // they could not be had: messages go instead
#endif
    PlanTable plans_;
    long plan_hits_ = 0, plan_misses_ = 0;
};

}  // namespace echelon
