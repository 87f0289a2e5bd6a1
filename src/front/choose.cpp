// SPDX-License-Identifier: Apache-2.0
#include "front/choose.hpp"

#include "estimators/profile/built_in_machine.hpp"
#include "flat/catalog.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <array>

namespace echelon {

namespace {

constexpr Bytes short_vector = Bytes(64) << 10;

}  // namespace

Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes) {
    const auto flat = [](const char* name) { return Recipe{.kind = Recipe::Kind::flat, .name = name}; };
    const bool vector = bytes > short_vector;
    Recipe inner = flat("binomial"), outer = flat("binomial");
    if (collective == Collective::allreduce) outer = flat(vector ? "rabenseifner" : "recursive_doubling");
    if (collective == Collective::reduce && vector) outer = flat("rabenseifner");
    if (collective == Collective::bcast && vector) outer = flat("scatter_allgather");
    if (collective == Collective::barrier) outer = flat("dissemination");
    return {.kind = Recipe::Kind::leaders,
            .groups = std::move(groups),
            .parts = {std::move(inner), std::move(outer)}};
}

BySize<Recipe> leaders_by_size(const Groups& groups, Collective collective, ByteRange sizes) {
    BySize<Recipe> recipes;
    if (sizes.from <= short_vector)
        recipes.add({sizes.from, std::min(sizes.to, short_vector)},
                    leaders_recipe(groups, collective, sizes.from));
    if (sizes.to > short_vector)
        recipes.add({std::max(sizes.from, short_vector + 1), sizes.to},
                    leaders_recipe(groups, collective, sizes.to));
    return recipes;
}

namespace {

std::uint64_t step_here(State& state) {
    // Who waits for a processor waits for another's turn to end, which the last one that came, whose step it is, need not have seen.
    constexpr std::uint64_t turn = 1'000'000;
    const Roll* const roll = state.process().world().roll();
    return roll == nullptr ? 0 : std::max(roll->step(), roll->is_crowded() ? turn : 0);
}

}  // namespace

Rough rough_here(State& state) {
    // On a network a model says what calls take, and what is done besides is of the same world.
    const bool memory = state.own().may_share_memory();
    return {state.size(), memory, memory ? step_here(state) : 0};
}

double pace_seen(State& state) {
    const std::optional<Hockney>& link = state.process().world().seen_link();
    return link && !state.own().may_share_memory() ? link->alpha / usual_link.alpha : 1;
}

bool tries_shared_memory(State& state) {
    const Settings& settings = state.process().settings();
    return state.own().may_share_memory() && !settings.reproducible && state.contests().tries();
}

bool may_turn_out_to_share_memory(State& state) {
    return state.own().may_have_windows() && !state.own().knows_placement(true, false) &&
           !state.process().settings().reproducible && state.contests().tries();
}

bool is_open_to_shared_memory(State& state) {
    if (!state.serves() || state.requests().at_odds() || !state.requests().settled() ||
        state.machine().has_profile() || state.requests().keys() != nullptr)
        return false;
    const Settings& settings = state.process().settings();
    return tries_shared_memory(state) && !settings.mode && !settings.groups && settings.recipes.empty();
}

namespace {

bool tries_hierarchies(State& state) {
    return state.size() >= least_ranks && !(state.own().knows_placement(true, false) &&
                                            state.own().placement(true, false).node_count() == 1);
}

/// Has hierarchies that ECHELON_GROUPS alone asks for.
bool reduces_or_broadcasts(Collective collective) {
    return collective == Collective::allreduce || collective == Collective::reduce ||
           collective == Collective::bcast;
}

bool is_off(State& state) {
    return state.process().settings().mode == Mode::off ||
           (state.requests().keys() != nullptr && state.requests().keys()->mode == Mode::off);
}

/// What settings, of a communicator or of the process, say about a call; nothing if they leave it open.
std::optional<Recipe> asked(const Settings& settings, Collective collective, Bytes bytes) {
    if (const auto table = settings.recipes.find(collective); table != settings.recipes.end())
        if (const Recipe* const recipe = table->second.find(bytes)) return *recipe;
    if (settings.mode == Mode::native) return Recipe{};
    if (settings.groups && reduces_or_broadcasts(collective))
        return leaders_recipe(*settings.groups, collective, bytes);
    return std::nullopt;
}

/// The process's settings as they hold on this communicator, whose keys may bring the automatic choice back.
Settings here(State& state) {
    Settings settings = state.process().settings();
    if (state.requests().keys() != nullptr && state.requests().keys()->mode == Mode::automatic)
        settings.mode.reset();
    return settings;
}

}  // namespace

Recipe reproducible_rule(Collective collective, Bytes bytes) {
    // In rank order, and without a look at where ranks sit.
    const bool vector = bytes > short_vector;
    const auto flat = [](const char* name) { return Recipe{.kind = Recipe::Kind::flat, .name = name}; };
    if (collective == Collective::allreduce) return flat(vector ? "rabenseifner" : "recursive_doubling");
    if (collective == Collective::reduce) return flat(vector ? "rabenseifner" : "binomial");
    for (const Algorithm& row : catalog(collective))
        if (row.keeps_order || !reduces(collective))
            return {.kind = Recipe::Kind::flat, .name = std::string(row.name)};
    return {};
}

std::optional<Choice> known_choice(State& state, const PlanKey& key) {
    if (state.requests().at_odds())
        return Choice{
            .recipe = {}, .source = Source::refused, .refusal = "the ranks have different settings"};
    if (state.meanwhile().instead() != nullptr)
        return Choice{.recipe = state.meanwhile().instead()->recipe, .source = Source::trial};
    if (is_off(state)) return Choice{.recipe = {}, .source = Source::setting};
    const Bytes bytes = key.count * key.element_size;
    if (const auto* hint = state.hints().find(key.collective, bytes))
        return Choice{.recipe = hint->recipe, .source = Source::hint};
    if (state.requests().keys() != nullptr)
        if (auto recipe = asked(*state.requests().keys(), key.collective, bytes))
            return Choice{.recipe = std::move(*recipe), .source = Source::key};
    if (auto recipe = asked(here(state), key.collective, bytes))
        return Choice{.recipe = std::move(*recipe), .source = Source::setting};
    if (state.process().settings().reproducible && reduces(key.collective))
        return Choice{.recipe = reproducible_rule(key.collective, bytes), .source = Source::setting};
    // An element of a user-made operation, which nobody cuts: what is known of long vectors does not hold.
    if (reduces(key.collective) && key.element_size > short_vector)
        return Choice{.recipe = {}, .source = Source::built_in};
    if (const Outcome* const found = state.contests().finding(key))
        return Choice{.recipe = found->recipe,
                      .source = Source::trial,
                      .refusal = found->loser,
                      .evidence = {found->native, found->seconds}};
    if (const ToldChoice* const decision = state.told().find(key))
        if (decision->choice.source != Source::trial ||
            !state.own().lacks_windows(decision->choice.recipe, key.collective))
            return decision->choice;
    if (chooses_native_only(state, key.collective)) return Choice{.recipe = {}, .source = Source::built_in};
    return std::nullopt;
}

std::vector<Recipe> forced(const Settings& settings, Collective collective) {
    std::vector<Recipe> list;
    const auto add = [&](Recipe recipe) {
        if (recipe.kind != Recipe::Kind::native) list.push_back(std::move(recipe));
    };
    if (settings.mode == Mode::off) return list;
    if (const auto table = settings.recipes.find(collective); table != settings.recipes.end())
        for (const RecipeTable::Row& row : table->second) add(row.value);
    if (settings.groups && reduces_or_broadcasts(collective))
        for (const auto& [sizes, recipe] : leaders_by_size(*settings.groups, collective, {})) add(recipe);
    if (settings.reproducible && reduces(collective))
        for (const Bytes bytes : {Bytes(0), short_vector + 1}) add(reproducible_rule(collective, bytes));
    return list;
}

bool chooses_native_only(State& state, Collective collective) {
    if (state.meanwhile().instead() != nullptr) return false;
    if (state.process().settings().reproducible && reduces(collective))
        return state.requests().at_odds() || is_off(state);
    if (state.requests().at_odds() || is_off(state)) return true;
    const auto silent = [&](const Settings& settings) {
        return !settings.recipes.contains(collective) &&
               (!settings.groups || !reduces_or_broadcasts(collective));
    };
    const Settings settings = here(state);
    if (state.hints().any(collective) || !silent(settings) ||
        (state.requests().keys() != nullptr && !silent(*state.requests().keys())))
        return false;
    const bool asked_native =
        settings.mode == Mode::native ||
        (state.requests().keys() != nullptr && state.requests().keys()->mode == Mode::native);
    if (!asked_native && state.machine().has_profile()) return false;
    return asked_native ||
           !(tries_hierarchies(state) || tries_shared_memory(state) || may_turn_out_to_share_memory(state));
}

long calls_before_thinking(State& state, const PlanKey& key) {
    // What another program has found inside a node has to be made before it gains.
    const bool may_be_known = state.machine().knows(key.collective) ||
                              (!state.process().settings().learn.empty() && !state.own().may_share_memory());
    if (may_be_known && !state.told().is_without_answer(key)) return 0;
    // Calls that wait for nobody follow each other sooner than one takes.
    const bool together = key.synchronises(state.size()), memory = state.own().may_share_memory();
    const Roll* const roll = state.process().world().roll();
    const Rough rough(state.size(), memory, step_here(state) / (together ? 1 : 2),
                      roll == nullptr ? 0 : roll->byte());
    const Bytes bytes = key.count * key.element_size;
    const bool in_passing =
        together && !memory && state.process().world().for_handouts(state.user()) != MPI_COMM_NULL;
    const long calls =
        in_passing ? calls_worth_a_thought_in_passing(rough, bytes, quirks::nonblocking_bcasts_go_to_each)
                   : calls_worth_a_thought(rough, bytes);
    // Where rank 0 has said that it knows nothing better, there is less to find: a hundredth of their time is enough. Through memory calls
    // are so short that to count them is much.
    constexpr long less_often = 5;
    return may_be_known && !memory ? less_often * calls : calls;
}

Contest* contest_of(State& state, const PlanKey& key, Source source) {
    const CallClass calls = state.classes().of(key);
    if (state.meanwhile().instead() != nullptr) return nullptr;
    if (state.contests().finding(key) != nullptr)
        return source == Source::trial ? state.contests().find(calls) : nullptr;
    const ToldChoice* const decision = state.told().find(key);
    if (decision == nullptr || decision->arms.size() < 2 || source != decision->choice.source) return nullptr;
    constexpr Bytes exchanged = 512, in_caches = Bytes(64) << 10;
    const bool is_short = key.count * key.element_size <= in_caches;
    // Where such calls were measured, there is less to find.
    if (const Roll* const roll = state.process().world().roll();
        roll != nullptr && !state.contests().knows_clock())
        state.contests().set_clock_shared(roll->share_a_clock(ranks_in_world(state.user())));
    const Rough rough = rough_here(state);
    const auto rounds =
        state.contests().knows_clock() ? std::optional(seconds(rough.rounds())) : std::nullopt;
    const bool calibrated = state.machine().knows(key.collective);
    // By a profile the arms' times are those of this network.
    const Seconds usual = seconds(rough.call(key.count * key.element_size)),
                  first = calibrated ? decision->arms.front().expected : 0;
    const double slower = first > 0 ? first / usual : pace_seen(state);
    return &state.contests().begin(calls, decision->arms,
                                   {.share = state.contests().percent(key) / 100.0,
                                    .first_share = calibrated ? 0.01 : 0.02,
                                    .calibrated = calibrated,
                                    .settlement = slower * seconds(rough.call(exchanged)),
                                    .rounds = rounds,
                                    .warm_up = !state.own().may_share_memory()  ? 0
                                               : !is_short                      ? 1
                                               : key.synchronises(state.size()) ? 5
                                                                                : 12});
}

}  // namespace echelon
