// SPDX-License-Identifier: Apache-2.0
#include "front/settle.hpp"

#include "cache/info_keys.hpp"
#include "front/choose.hpp"
#include "front/decide.hpp"
#include "front/exchange.hpp"
#include "front/look.hpp"
#include "front/told_line.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/thinking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iomanip>
#include <limits>
#include <sstream>

namespace echelon {
namespace {

/// What rank 0 thinks of a call that nobody knows; whatever happens, it has something to tell.
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

/// What rank 0 has told of some calls, on all ranks. `provide(recipe, key)`: makes what calls need that wait for nobody.
template <class Provide>
void hear(State& state, std::istream& lines, const Provide& provide) {
    for (std::string line; std::getline(lines, line);) {
        Told told = from_line(line);
        if (told.decision) state.told().tell(told.key, *told.decision);
        if (told.later > 0) state.agenda().wait_for(told.key, told.later);
        if (told.key.synchronises(state.size())) continue;  // it makes what it needs itself
        if (const auto choice = known_choice(state, told.key)) provide(choice->recipe, told.key);
    }
}

/// Messages go by that route from now on, if there is one.
void follow(State& state, int route) {
    if (route >= 0) state.own().take_route(state.process().world().told_routes()->route(state.user(), route));
}

/// What rank 0 tells of calls that nobody knows, after a way for messages of what is to be tried, where there is none; -1: none.
std::string answers(State& state, const std::vector<PlanKey>& keys) {
    std::string text;
    bool waits = false;
    for (const PlanKey& key : keys) {
        const Told told = news(state, key);
        text += to_line(told);
        if (!told.decision) continue;
        for (const Tournament::Arm& arm : told.decision->arms)
            waits = waits || state.own().waits_for_told_route(arm.recipe, key.collective);
    }
    const std::optional<int> route =
        waits ? state.process().world().told_routes()->take() : std::optional<int>();
    return std::to_string(route.value_or(-1)) + '\n' + text;
}

}  // namespace

void tell(State& state, const std::vector<PlanKey>& keys) {
    if (keys.empty()) return;
    // What is inside the nodes is the profile's business alone.
    const bool has_profile = state.machine().profile() != nullptr;
    if (has_profile || state.size() >= least_ranks || may_turn_out_to_share_memory(state))
        (void)state.own().placement(true, has_profile);
    state.meetings().hold(keys.size());
    std::istringstream lines(broadcast(state.rank() == 0 ? answers(state, keys) : "", state.user()));
    int route = -1;
    lines >> route;
    lines.get();
    follow(state, route);
    hear(state, lines, [&](const Recipe& recipe, const PlanKey& key) { state.own().provide(recipe, key); });
}

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
        state.own().provide(told.decision->choice.recipe, told.key);
    }
}

}  // namespace

void settle(State& state) {
    state.settle();
    const std::vector<PlanKey> undecided = state.agenda().take_up(state.requests().settled());
    const auto wanted = state.agenda().take_wanted();
    if (state.requests().at_odds()) return;
    for (const auto& [recipe, key] : wanted) state.own().provide(recipe, key, OwnSide::Purpose::trial);
    if (!wanted.empty()) state.contests().resume();
    tell(state, undecided);
    const bool exchanged = exchange_times(state);
    if (state.letters().in_rounds() || state.contests().settlement_due()) state.agenda().stay_open();
    if (exchanged) look_where_it_helps(state);
}

bool may_settle_from_0(State& state) {
    constexpr int most = 256;
    const bool has_profile = state.machine().profile() != nullptr;
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
    const std::optional<int> route =
        state.own().has_route() ? std::nullopt : state.process().world().told_routes()->take();
    follow(state, route.value_or(-1));
    const std::vector<double> seen = state.letters().least().value_or(std::vector<double>());
    text << route.value_or(-1) << ' ' << seen.size();
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
    if (state.rank() != 0) follow(state, route);
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
        hear_notice(state, hand_out(state.rank() == 0 ? notice(state, undecided) : "", state.user()));
    const bool in_rounds = state.letters().in_rounds() && state.letters().go_on();
    if (state.contests().settlement_due() && !in_rounds && !state.letters().under_way() &&
        state.own().has_route()) {
        state.letters().send(state.contests().freeze(), state.own().route());
        state.agenda().tell_in(1);
    }
    if (in_rounds || state.letters().under_way() || state.agenda().wants()) state.agenda().stay_open();
}

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
