// SPDX-License-Identifier: Apache-2.0
#include "front/settle.hpp"

#include "front/choose.hpp"
#include "front/exchange.hpp"
#include "front/look.hpp"
#include "front/tell.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

namespace echelon {

void settle(State& state, Telling how) {
    state.settle();
    if (state.handout().under_way()) go_on_telling(state, how);
    const std::vector<PlanKey> undecided = state.agenda().take_up(state.requests().settled());
    const auto wanted = state.agenda().take_wanted();
    if (state.requests().at_odds()) return;
    for (const auto& [recipe, key] : wanted) state.own().provide(recipe, key, OwnSide::Purpose::trial);
    if (!wanted.empty()) state.contests().resume();
    tell(state, undecided);
    const bool exchanged = exchange_times(state);
    if (state.letters().in_rounds() || state.contests().settlement_due() || state.handout().under_way())
        state.agenda().stay_open();
    if (exchanged) look_where_it_helps(state);
}

bool may_settle_from_0(State& state) {
    constexpr int most = 256;
    const bool has_profile = state.machine().has_profile();
    return state.process().world().told_routes() != nullptr && state.size() >= least_ranks &&
           state.size() <= most && state.requests().settled() && !state.requests().at_odds() &&
           !state.meanwhile().together() && state.meanwhile().instead() == nullptr &&
           state.own().knows_placement(true, has_profile) &&
           state.own().placement(true, has_profile).node_count() > 1;
}

namespace {

/// Without what ranks would have to make together.
Told made_alone(State& state, Told told) {
    if (!told.decision) return told;
    auto& [choice, arms] = *told.decision;
    const auto cannot = [&](const Recipe& recipe) {
        return !state.own().can_provide_alone(recipe, told.key);
    };
    if (cannot(choice.recipe)) {
        choice = {.recipe = {}, .source = Source::built_in};
        std::stable_partition(arms.begin(), arms.end(), [](const Tournament::Arm& one) {
            return one.recipe.kind == Recipe::Kind::native;
        });
    }
    std::erase_if(arms, [&](const Tournament::Arm& one) { return cannot(one.recipe); });
    return told;
}

/// What rank 0 tells: a way for messages, where there is none; what all ranks have seen, as far as that has come; what it thinks of calls.
std::string notice(State& state, const std::vector<PlanKey>& undecided) {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    const int route = state.own().has_route() ? -1 : take_route(state);
    follow(state, route);
    const std::vector<double> seen = state.letters().least().value_or(std::vector<double>());
    text << route << ' ' << seen.size();
    for (const double number : seen) text << ' ' << number;
    text << '\n';
    for (const PlanKey& key : undecided) text << to_line(made_alone(state, news(state, key)));
    return text.str();
}

void hear_notice(State& state, const std::string& text) {
    std::istringstream lines(text);
    int route = -1;
    std::size_t numbers = 0;
    lines >> route >> numbers;
    std::vector<double> seen(numbers);
    for (double& number : seen) lines >> number;
    lines.get();
    follow(state, route);
    if (!seen.empty()) {
        state.letters().give_up();
        take_findings(state, state.contests().take_in(seen));
    }
    hear(state, lines,
         [&](const Recipe& recipe, const PlanKey& key) { state.own().provide_alone(recipe, key); });
}

}  // namespace

void settle_from_0(State& state) {
    const std::vector<PlanKey> undecided = state.agenda().take_up(true);
    if (!undecided.empty() || state.letters().under_way() || !state.own().has_route())
        hear_notice(state, Handout::at_once(state.rank() == 0 ? notice(state, undecided) : "", state.user(),
                                            room_for(undecided.size())));
    const bool in_rounds = state.letters().in_rounds() && state.letters().go_on();
    if (state.contests().settlement_due() && !in_rounds && !state.letters().under_way() &&
        state.own().has_route()) {
        state.letters().send(state.contests().freeze(), state.own().route());
        state.agenda().tell_in(1);
    }
    if (in_rounds || state.letters().under_way() || state.handout().under_way() || state.agenda().wants())
        state.agenda().stay_open();
}

}  // namespace echelon
