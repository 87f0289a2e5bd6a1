// SPDX-License-Identifier: Apache-2.0
#include "front/settle.hpp"

#include "cache/info_keys.hpp"
#include "front/choose.hpp"
#include "front/decide.hpp"
#include "front/look.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/clock.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <limits>
#include <sstream>

namespace echelon {
namespace {

/// A call of a collective, whatever its size.
PlanKey any_call(Collective collective) {
    return {
        .collective = collective, .in_order = false, .exact = true, .root = 0, .element_size = 1, .count = 0};
}

/// What rank 0 says about one call: a line of fields. Recipes have no tabulators.
struct Told {
    PlanKey key;
    /// Nothing: every rank knows by itself,
    std::optional<ToldChoice> decision = {};
    /// or so many calls come before anybody thinks.
    long later = 0;
};

std::string to_line(const Told& told) {
    std::ostringstream line;
    const PlanKey& key = told.key;
    line << int(key.collective) << '\t' << key.in_order << '\t' << key.exact << '\t' << key.element_size
         << '\t' << key.count << '\t' << told.later << '\t' << told.decision.has_value();
    if (told.decision) {
        const Choice& choice = told.decision->choice;
        line << std::setprecision(std::numeric_limits<double>::max_digits10);
        line << '\t' << int(choice.source) << ' ' << choice.evidence.native << ' ' << choice.evidence.ours
             << '\t' << to_string(choice.recipe);
        for (const Tournament::Arm& arm : told.decision->arms)
            line << '\t' << to_string(arm.recipe) << '\t' << arm.expected << ' ' << arm.setup << ' '
                 << arm.known;
    }
    line << '\n';
    return line.str();
}

Told from_line(const std::string& text) {
    std::istringstream line(text);
    int collective = 0, source = 0;
    bool decided = false;
    Told told{any_call(Collective::allreduce)};
    PlanKey& key = told.key;
    line >> collective >> key.in_order >> key.exact >> key.element_size >> key.count >> told.later >> decided;
    key.collective = Collective(collective);
    if (!decided) return told;
    Evidence evidence;
    line >> source >> evidence.native >> evidence.ours;
    std::string recipe;
    std::getline(line, recipe, '\t');  // what is left of the number's field
    std::getline(line, recipe, '\t');
    told.decision = ToldChoice{
        {.recipe = Recipe::parse(recipe), .source = Source(source), .refusal = {}, .evidence = evidence}};
    while (std::getline(line, recipe, '\t')) {
        Tournament::Arm arm{.recipe = Recipe::parse(recipe)};
        line >> arm.expected >> arm.setup >> arm.known;
        told.decision->arms.push_back(std::move(arm));
        line.get();  // the tabulator
    }
    return told;
}

/// What rank 0 thinks of a call that nobody knows; whatever happens, it has something to tell.
ToldChoice opinion(State& state, const PlanKey& key) {
    std::string failure;
    try {
        return decide(state, key);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    state.process().say_once(true, std::string(name(key.collective)) + ": nothing was decided: " + failure);
    return {{.recipe = {}, .source = Source::refused}};
}

Told news(State& state, const PlanKey& key) {
    if (known_choice(state, key)) return {key};
    if (const long later = state.together() ? 0 : calls_too_early(state, key); later > 0)
        return {.key = key, .later = later};
    return {key, opinion(state, key)};
}

}  // namespace

void tell(State& state, const std::vector<PlanKey>& keys) {
    if (keys.empty()) return;
    // What is inside the nodes is the profile's business alone.
    const bool has_profile = state.profile() != nullptr;
    if (has_profile || state.size() >= least_ranks) (void)state.own().placement(true, has_profile);
    std::string text;
    if (state.rank() == 0) {
        const Thinking thinking;
        for (const PlanKey& key : keys) text += to_line(news(state, key));
    }
    state.meet(keys.size());
    std::istringstream lines(broadcast(std::move(text), state.user()));
    for (std::string line; std::getline(lines, line);) {
        Told told = from_line(line);
        if (told.decision) state.told().tell(told.key, *told.decision);
        if (told.later > 0) state.agenda().wait_for(told.key, told.later);
        if (told.key.synchronises(state.size())) continue;  // it makes what it needs itself
        if (const auto choice = known_choice(state, told.key)) state.own().provide(choice->recipe, told.key);
    }
}

namespace {

/// What rank 0 says of calls with a root of all sizes, where that is not native.
std::string table(State& state) {
    constexpr Bytes least = 8, most = Bytes(4) << 20;
    constexpr std::array rooted_ones{Collective::bcast, Collective::reduce, Collective::gather,
                                     Collective::scatter};
    if (state.process().tables().idle()) return {};
    std::string text;
    for (const Collective collective : rooted_ones)
        for (const bool exact : {true, false})
            for (Bytes bytes = least; bytes <= most && (exact || reduces(collective)); bytes *= 2) {
                PlanKey key = any_call(collective);
                key.exact = exact;
                key.count = bytes;
                if (known_choice(state, key)) continue;
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
    state.meet(0);
    std::istringstream lines(broadcast(state.rank() == 0 ? table(state) : "", state.user()));
    ++state.process().tables().told;
    for (std::string line; std::getline(lines, line);) {
        const Told told = from_line(line);
        state.told().tell_roughly(told.key, *told.decision);
        state.own().provide(told.decision->choice.recipe, told.key);
    }
}

}  // namespace

void settle(State& state) {
    state.settle();
    const bool times = state.contests().settlement_due();
    const std::vector<PlanKey> undecided = state.take_business();
    const auto wanted = state.agenda().take_wanted();
    if (state.at_odds()) return;
    for (const auto& [recipe, key] : wanted) state.own().provide(recipe, key, OwnSide::Purpose::trial);
    if (!wanted.empty()) state.contests().resume();
    tell(state, undecided);
    if (!times) return;
    state.settle_contests();
    if (wants_a_look(state)) look_at_machine(state);
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
    if (process.roll() == nullptr) return;
    const bool has_keys = InfoKeys::of(process, made) != nullptr;
    const auto nothing_forced = [&](Collective collective) {
        return forced(process.settings(), collective).empty();
    };
    const bool has_profile = process.profile()->profile != nullptr;
    if (!has_keys && !has_profile &&
        std::all_of(all_collectives.begin(), all_collectives.end(), nothing_forced))
        return;
    State* const state = State::of(made);
    if (state == nullptr || !state->serves() || state->at_odds()) return;
    if (!state->settled()) settle(*state);
    if (state->at_odds()) return;
    for (const Collective collective : all_collectives) {
        for (const Recipe& recipe : forced(process.settings(), collective))
            provide(*state, collective, recipe);
        if (state->keys() == nullptr) continue;
        for (const Recipe& recipe : forced(*state->keys(), collective)) provide(*state, collective, recipe);
    }
    if (has_profile) tell_table(*state);
}

}  // namespace echelon
