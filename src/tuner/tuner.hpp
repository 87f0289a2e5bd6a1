// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "mpi/async_broadcast.hpp"
#include "mpi/async_reduction.hpp"
#include "tuner/decisions.hpp"
#include "tuner/forced_recipe.hpp"
#include "tuner/known_machine.hpp"
#include "tuner/pending_decisions.hpp"
#include "tuner/shared_tuning.hpp"
#include "tuner/trials.hpp"

#include <memory>
#include <vector>

namespace echelon {

/// The choice at run time for one communicator: its decisions, its trials, and the messages by which ranks
/// agree on them. The functions of this room work on it. One thread at a time, like in MPI's collectives on a
/// communicator.
class Tuner final : public Companion {
public:
    /// The tuner of a communicator, made on first use. Requires: the communicator is served. Local.
    static Tuner& of(State& state) { return state.companion().get<Tuner>(state); }
    /// Starts with the knowledge from MPI_Init.
    explicit Tuner(State& state);

    // The communicator.
    int rank() const { return state_.rank(); }
    int size() const { return state_.size(); }
    MPI_Comm user() const { return state_.user(); }
    State& state() { return state_; }
    const Settings& settings() const { return process().settings(); }
    Process& process() const { return state_.process(); }
    PrivateCommunicator& own() { return state_.own(); }
    PlanTable& plans() { return state_.plans(); }
    const Requests& requests() const { return state_.requests(); }
    const Hints& hints() const { return state_.hints(); }

    // Its parts.
    SharedTuning& shared() { return shared_; }
    const CallClasses& classes() const { return classes_; }
    PendingDecisions& pending() { return pending_; }
    Decisions& decisions() { return decisions_; }
    Trials& trials() { return trials_; }
    AsyncReduction& async_reduction() { return async_reduction_; }
    AsyncBroadcast& async_broadcast() { return async_broadcast_; }
    KnownMachine& machine() { return machine_; }
    ForcedRecipe& forced_recipe() { return forced_recipe_; }

    /// Compares the settings and info keys of the ranks and shares rank 0's profile, unless this was done.
    /// Collective.
    void compare_requests();
    /// Info keys were set: the ranks compare them in the next synchronising call.
    void keys_changed();
    /// Sets the machine's profile for the calls that follow; null: none. Drops the findings. Collective, the
    /// same on all ranks.
    void set_profile(std::shared_ptr<const Profile> profile);
    /// Drops plans, decisions and trials. Requests and findings stay.
    void clear_plans();
    /// Drops the plans of these classes, which have new findings, and keeps the findings for other
    /// communicators.
    void take_findings(const std::vector<CallClass>& found);

    void complete() override { async_broadcast_.wait(); }
    void close() override;

private:
    void set_machine(std::shared_ptr<const LateProfile> profile);
    /// Rank 0's profile, for ranks without one. Collective.
    std::shared_ptr<const KnownProfile> share_profile(const std::shared_ptr<const KnownProfile>& own);

    State& state_;
    SharedTuning& shared_;
    CallClasses classes_;
    PendingDecisions pending_;
    AsyncReduction async_reduction_;
    AsyncBroadcast async_broadcast_;
    Decisions decisions_{classes_};
    KnownMachine machine_;
    ForcedRecipe forced_recipe_;
    Trials trials_;
};

}  // namespace echelon
