// SPDX-License-Identifier: Apache-2.0
#include "tuner/on_creation.hpp"

#include "settings/info_keys.hpp"
#include "tuner/choose.hpp"
#include "tuner/decide.hpp"
#include "tuner/settle.hpp"
#include "tuner/tell_common_sizes.hpp"

#include <algorithm>

namespace echelon {

void provide(Tuner& tuner, Collective collective, const Recipe& recipe) {
    PlanKey key = any_call(collective);
    key.count = std::size_t(tuner.size());
    if (!key.synchronises(tuner.size())) tuner.own().provide(recipe, key);
}

void on_creation(Process& process, MPI_Comm made) {
    State::forget_dead(made);
    if (process.world().job_map() == nullptr) return;
    const bool has_keys = InfoKeys::of(process.keys_keyval(), made) != nullptr;
    const auto nothing_forced = [&](Collective collective) {
        return forced(process.settings(), collective).empty();
    };
    const bool has_profile = process.profile().known()->profile != nullptr;
    if (!has_keys && !has_profile &&
        std::all_of(all_collectives.begin(), all_collectives.end(), nothing_forced))
        return;
    State* const state = State::of(made);
    if (state == nullptr || !state->serves() || state->requests().at_odds()) return;
    Tuner& tuner = Tuner::of(*state);
    if (!tuner.requests().settled()) settle(tuner);
    if (tuner.requests().at_odds()) return;
    for (const Collective collective : all_collectives) {
        for (const Recipe& recipe : forced(process.settings(), collective))
            provide(tuner, collective, recipe);
        if (tuner.requests().keys() == nullptr) continue;
        for (const Recipe& recipe : forced(*tuner.requests().keys(), collective))
            provide(tuner, collective, recipe);
    }
    if (tuner.machine().has_profile()) tell_common_sizes(tuner);
}

}  // namespace echelon
