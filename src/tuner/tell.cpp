// SPDX-License-Identifier: Apache-2.0
#include "tuner/tell.hpp"

#include "mpi/decision_time.hpp"
#include "tuner/choose.hpp"
#include "tuner/decide.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace echelon {

CallDecision decide_or_native(Tuner& tuner, const PlanKey& key) {
    const DecisionTimer timer(tuner.shared().allowance());
    std::string failure;
    try {
        return decide(tuner, key);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    tuner.process().log().once(true, std::string(name(key.collective)) + ": nothing was decided: " + failure);
    return {{.recipe = {}, .source = Source::refused}};
}

DecisionMessage message_for(Tuner& tuner, const PlanKey& key) {
    if (known_choice(tuner, key)) return {key};
    if (const long later = tuner.forced_recipe().together() ? 0 : further_native_calls(tuner, key); later > 0)
        return {.key = key, .later = later};
    return {key, decide_or_native(tuner, key)};
}

void take_lines(Tuner& tuner, std::istream& lines,
                const std::function<void(const Recipe& recipe, const PlanKey& key)>& provide) {
    for (std::string line; std::getline(lines, line);) {
        DecisionMessage message = from_line(line);
        if (message.decision) tuner.decisions().add(message.key, *message.decision);
        if (message.later > 0) tuner.pending().extend_countdown(message.key, message.later);
        if (message.key.synchronises(tuner.size())) continue;  // the call provides for itself
        if (const auto choice = known_choice(tuner, message.key)) provide(choice->recipe, message.key);
    }
}

bool waits_for_route(Tuner& tuner, const CallDecision& decision, Collective collective) {
    const auto waits = [&](const Recipe& recipe) {
        return tuner.own().waits_for_told_route(recipe, collective);
    };
    return waits(decision.choice.recipe) ||
           std::ranges::any_of(decision.arms, waits, &Tournament::Arm::recipe);
}

int take_route(Tuner& tuner) { return tuner.process().world().told_routes()->take().value_or(-1); }

void use_route(Tuner& tuner, int route) {
    if (route < 0 || tuner.own().has_route()) return;
    tuner.own().take_route(tuner.process().world().told_routes()->route(tuner.user(), route));
}

namespace {

/// Rank 0's message: a new route if a recipe waits for one, else -1; then a line for each call.
std::string text_for(Tuner& tuner, const std::vector<PlanKey>& keys) {
    std::string text;
    bool waits = false;
    for (const PlanKey& key : keys) {
        const DecisionMessage message = message_for(tuner, key);
        text += to_line(message);
        waits = waits || (message.decision && waits_for_route(tuner, *message.decision, key.collective));
    }
    return std::to_string(waits ? take_route(tuner) : -1) + '\n' + text;
}

/// Exchanges the placement, and returns the message on rank 0.
std::string text_of_rank_0(Tuner& tuner, const std::vector<PlanKey>& keys) {
    // Only a profile needs the places inside nodes.
    const bool has_profile = tuner.machine().has_profile();
    if (has_profile || tuner.size() >= least_ranks || may_turn_out_to_share_memory(tuner))
        (void)tuner.own().placement(true, has_profile);
    tuner.state().meetings().hold(keys.size());
    return tuner.rank() == 0 ? text_for(tuner, keys) : "";
}

void take_text(Tuner& tuner, const std::string& text) {
    std::istringstream lines(text);
    int route = -1;
    lines >> route;
    lines.get();
    use_route(tuner, route);  // another route may have come since
    take_lines(tuner, lines,
               [&](const Recipe& recipe, const PlanKey& key) { tuner.own().provide(recipe, key); });
}

}  // namespace

void tell(Tuner& tuner, const std::vector<PlanKey>& keys, Telling how) {
    if (keys.empty()) return;
    const bool went_natively = std::ranges::all_of(keys, [&](const PlanKey& key) {
        const PendingDecisions::Countdown* const countdown = tuner.pending().countdown_of(key);
        return countdown != nullptr && countdown->calls > 0;
    });
    const MPI_Comm way = tuner.process().world().for_handouts(tuner.user());
    const std::size_t room = room_for(keys.size());
    if (how == Telling::at_once || !went_natively || way == MPI_COMM_NULL)
        return take_text(tuner, AsyncBroadcast::at_once(text_of_rank_0(tuner, keys), tuner.user(), room));
    tuner.async_broadcast().begin(text_of_rank_0(tuner, keys), way, room);
    tuner.pending().open();
}

void advance_telling(Tuner& tuner, Telling how) {
    if (how == Telling::at_once || tuner.async_broadcast().has_had_time())
        take_text(tuner, tuner.async_broadcast().end());
}

}  // namespace echelon
