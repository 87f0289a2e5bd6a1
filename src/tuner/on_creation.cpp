// SPDX-License-Identifier: Apache-2.0
#include "tuner/on_creation.hpp"

#include "mpi/agree.hpp"
#include "settings/info_keys.hpp"
#include "tuner/mail.hpp"
#include "tuner/requests.hpp"
#include "tuner/tell_table.hpp"

#include <algorithm>

namespace echelon {

void provide(Tuner& tuner, Collective collective, const Recipe& recipe) {
    const PlanKey key = call_of(collective, Bytes(tuner.size()));
    if (!key.synchronises(tuner.size()) || collective == Collective::alltoall)
        tuner.own().provide(recipe, key);
}

namespace {

/// True if the start-up benchmark found `shm` faster in calls that do not synchronise: they would never get a
/// window of their communicator.
bool gains_by_window(const StartupResults& results) {
    const auto is_seen = [](const auto& row) { return row.value.kind == StartupResult::Kind::seen; };
    return std::ranges::any_of(results.found, [&](const auto& one) {
        return pattern(one.first) != Pattern::to_all && std::ranges::any_of(one.second, is_seen);
    });
}

/// Makes the window of a communicator inside a node, if rank 0 can spare the time.
void make_window(Tuner& tuner) {
    const StartupResults& results = tuner.shared().startup_results();
    const PlanKey key = call_of(Collective::bcast, 1);
    if (!gains_by_window(results) || !is_open_to_shared_memory(tuner) ||
        tuner.own().is_provided(shared_memory(), key))
        return;
    // The share of time that trials may take.
    Allowance& allowance = tuner.shared().allowance();
    const bool affords = allowance.covers(results.window, tuner.settings().trial_percent);
    tuner.state().meetings().hold(0);
    if (!as_rank_0_says(affords, tuner.user())) return;
    const Spending spending(tuner.process().reporter());
    allowance.spend(results.window);
    tuner.own().provide(shared_memory(), key, PrivateCommunicator::Purpose::trial);
}

}  // namespace

void on_creation(Process& process, MPI_Comm made) {
    State::forget_dead(made);
    if (process.world().job_map() == nullptr) return;
    const Settings& settings = process.settings();
    const bool has_keys = InfoKeys::of(process.keys_keyval(), made) != nullptr;
    const bool has_requests =
        !settings.recipes.empty() || settings.groups || settings.reproducible != Reproducible::no;
    const bool has_profile = process.profile().known()->profile != nullptr;
    if (!has_keys && !has_profile && !has_requests &&
        !gains_by_window(SharedTuning::of(process).startup_results()))
        return;
    State* const state = State::of(made);
    if (state == nullptr || !state->serves() || state->requests().at_odds()) return;
    Tuner& tuner = Tuner::of(*state);
    if (!tuner.requests().settled()) settle(tuner);
    if (tuner.requests().at_odds()) return;
    for (const Requested& one : tuner.table().requested())
        if (one.choice.recipe.kind != Recipe::Kind::native && !chooses_native_only(tuner, one.collective))
            provide(tuner, one.collective, one.choice.recipe);
    if (tuner.machine().has_profile())
        tell_table(tuner);
    else
        make_window(tuner);
}

}  // namespace echelon
