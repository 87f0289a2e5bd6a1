// SPDX-License-Identifier: Apache-2.0
#include "front/tell.hpp"

#include "front/choose.hpp"
#include "front/decide.hpp"
#include "mpi/thinking.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace echelon {

ToldChoice opinion(State& state, const PlanKey& key) {
    const Thinking thinking(state.process().allowance());
    std::string failure;
    try {
        return decide(state, key);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    state.process().say().once(true, std::string(name(key.collective)) + ": nothing was decided: " + failure);
    return {{.recipe = {}, .source = Source::refused}};
}

Told news(State& state, const PlanKey& key) {
    if (known_choice(state, key)) return {key};
    if (const long later = state.meanwhile().together() ? 0 : calls_too_early(state, key); later > 0)
        return {.key = key, .later = later};
    return {key, opinion(state, key)};
}

void hear(State& state, std::istream& lines,
          const std::function<void(const Recipe& recipe, const PlanKey& key)>& provide) {
    for (std::string line; std::getline(lines, line);) {
        Told told = from_line(line);
        if (told.decision) state.told().tell(told.key, *told.decision);
        if (told.later > 0) state.agenda().wait_for(told.key, told.later);
        if (told.key.synchronises(state.size())) continue;  // it makes what it needs itself
        if (const auto choice = known_choice(state, told.key)) provide(choice->recipe, told.key);
    }
}

bool waits_for_route(State& state, const ToldChoice& told, Collective collective) {
    const auto waits = [&](const Recipe& recipe) {
        return state.own().waits_for_told_route(recipe, collective);
    };
    return waits(told.choice.recipe) || std::ranges::any_of(told.arms, waits, &Tournament::Arm::recipe);
}

int take_route(State& state) { return state.process().world().told_routes()->take().value_or(-1); }

void follow(State& state, int route) {
    if (route < 0 || state.own().has_route()) return;
    state.own().take_route(state.process().world().told_routes()->route(state.user(), route));
}

namespace {

/// What rank 0 tells of them, after a way for messages, where there is none and some wait for one; -1: none.
std::string answers(State& state, const std::vector<PlanKey>& keys) {
    std::string text;
    bool waits = false;
    for (const PlanKey& key : keys) {
        const Told told = news(state, key);
        text += to_line(told);
        waits = waits || (told.decision && waits_for_route(state, *told.decision, key.collective));
    }
    return std::to_string(waits ? take_route(state) : -1) + '\n' + text;
}

/// The ranks meet; on rank 0 what it tells of such calls.
std::string told(State& state, const std::vector<PlanKey>& keys) {
    // What is inside the nodes is the profile's business alone.
    const bool has_profile = state.machine().has_profile();
    if (has_profile || state.size() >= least_ranks || may_turn_out_to_share_memory(state))
        (void)state.own().placement(true, has_profile);
    state.meetings().hold(keys.size());
    return state.rank() == 0 ? answers(state, keys) : "";
}

void hear_answers(State& state, const std::string& text) {
    std::istringstream lines(text);
    int route = -1;
    lines >> route;
    lines.get();
    follow(state, route);  // it may have got another meanwhile
    hear(state, lines, [&](const Recipe& recipe, const PlanKey& key) { state.own().provide(recipe, key); });
}

}  // namespace

void tell(State& state, const std::vector<PlanKey>& keys, Telling how) {
    if (keys.empty()) return;
    const bool went_natively = std::ranges::all_of(keys, [&](const PlanKey& key) {
        const Agenda::Patience* const patience = state.agenda().patience_of(key);
        return patience != nullptr && patience->calls > 0;
    });
    const MPI_Comm way = state.process().world().for_handouts(state.user());
    const std::size_t room = room_for(keys.size());
    if (how == Telling::at_once || !went_natively || way == MPI_COMM_NULL)
        return hear_answers(state, Handout::at_once(told(state, keys), state.user(), room));
    state.handout().begin(told(state, keys), way, room);
    state.agenda().open();
}

void go_on_telling(State& state, Telling how) {
    if (how == Telling::at_once || state.handout().has_had_time()) hear_answers(state, state.handout().end());
}

}  // namespace echelon
