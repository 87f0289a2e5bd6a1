// SPDX-License-Identifier: Apache-2.0
#include "front/introduce.hpp"

#include "cache/info_keys.hpp"
#include "front/choose.hpp"
#include "front/decide.hpp"
#include "front/settle.hpp"
#include "front/tell.hpp"
#include "mpi/broadcast_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>

namespace echelon {
namespace {

/// Calls with a root of 8 bytes to 4 MB of which the profile knows something: first such of sizes far apart.
std::vector<PlanKey> rooted_calls(State& state) {
    constexpr std::array rooted_ones{Collective::bcast, Collective::reduce, Collective::gather,
                                     Collective::scatter};
    constexpr unsigned least = 3, most = 22;
    std::vector<PlanKey> calls;
    for (unsigned distance = std::bit_floor(most); distance > 0; distance /= 2)
        for (unsigned exponent = distance; exponent <= most; exponent += 2 * distance)
            for (const Collective collective : rooted_ones)
                for (const bool exact : {true, false}) {
                    if (exponent < least || !state.machine().knows(collective) ||
                        !(exact || reduces(collective)))
                        continue;
                    PlanKey& key = calls.emplace_back(any_call(collective));
                    key.exact = exact;
                    key.count = std::size_t(1) << exponent;
                }
    return calls;
}

/// What rank 0 says of those, as far as there is time for it, where that is not native.
std::string table(State& state) {
    std::string text;
    for (const PlanKey& key : rooted_calls(state)) {
        if (known_choice(state, key) || !may_decide_early(state, key)) continue;
        ToldChoice decision = opinion(state, key);
        if (decision.choice.recipe.kind == Recipe::Kind::native) continue;
        // More than native beside it would need more to be made.
        if (decision.arms.size() > 2) decision.arms.resize(2);
        text += to_line({key, std::move(decision)});
    }
    return text;
}

void tell_table(State& state) {
    (void)state.own().placement(true, true);
    state.meetings().hold(0);
    std::istringstream lines(broadcast(state.rank() == 0 ? table(state) : "", state.user()));
    for (std::string line; std::getline(lines, line);) {
        const Told told = from_line(line);
        state.told().tell_roughly(told.key, *told.decision);
        state.own().provide(told.decision->choice.recipe, told.key, OwnSide::Purpose::trial);
    }
}

}  // namespace

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
    if (has_profile) tell_table(*state);
}

}  // namespace echelon
