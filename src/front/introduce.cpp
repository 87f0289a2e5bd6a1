// SPDX-License-Identifier: Apache-2.0
#include "front/introduce.hpp"

#include "cache/info_keys.hpp"
#include "front/choose.hpp"
#include "front/decide.hpp"
#include "front/settle.hpp"
#include "front/tell_usual.hpp"

#include <algorithm>

namespace echelon {

void provide(State& state, Collective collective, const Recipe& recipe) {
    PlanKey key = any_call(collective);
    key.count = std::size_t(state.size());
    if (!key.synchronises(state.size())) state.own().provide(recipe, key);
}

void forget_dead(const Process& process, MPI_Comm made) {
    State* const state = State::known(made);
    if (state == nullptr) return;
    void* own = nullptr;
    int flag = 0;
    check(PMPI_Comm_get_attr(made, process.keyval(), &own, &flag), "MPI_Comm_get_attr");
    if (flag == 0) delete state;
}

void introduce(Process& process, MPI_Comm made) {
    forget_dead(process, made);
    if (process.world().roll() == nullptr) return;
    const bool has_keys = InfoKeys::of(process, made) != nullptr;
    const auto nothing_forced = [&](Collective collective) {
        return forced(process.settings(), collective).empty();
    };
    const bool has_profile = process.profile().known()->profile != nullptr;
    if (!has_keys && !has_profile &&
        std::all_of(all_collectives.begin(), all_collectives.end(), nothing_forced))
        return;
    State* const state = State::of(made);
    if (state == nullptr || !state->serves() || state->requests().at_odds()) return;
    if (!state->requests().settled()) settle(*state);
    if (state->requests().at_odds()) return;
    for (const Collective collective : all_collectives) {
        for (const Recipe& recipe : forced(process.settings(), collective))
            provide(*state, collective, recipe);
        if (state->requests().keys() == nullptr) continue;
        for (const Recipe& recipe : forced(*state->requests().keys(), collective))
            provide(*state, collective, recipe);
    }
    if (state->machine().has_profile()) tell_usual_calls(*state);
}

}  // namespace echelon
