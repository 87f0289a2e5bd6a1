// SPDX-License-Identifier: Apache-2.0
#include "tuner/choose.hpp"

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

std::uint64_t step_here(Tuner& tuner) {
    // A rank without a processor waits for the end of another rank's turn. The step is that of the rank that
    // waited least, which may not have seen this.
    constexpr std::uint64_t turn = 1'000'000;
    const JobMap* const job_map = tuner.process().world().job_map();
    return job_map == nullptr ? 0 : std::max(job_map->step(), job_map->is_crowded() ? turn : 0);
}

}  // namespace

DefaultCosts default_costs_here(Tuner& tuner) {
    // On a network the model's times are the reference, and other costs use the same scale. Only inside a
    // node the measured step counts.
    const bool memory = tuner.own().may_share_memory();
    return {tuner.size(), memory, memory ? step_here(tuner) : 0};
}

double network_slowdown(Tuner& tuner) {
    const std::optional<Hockney>& link = tuner.process().world().seen_link();
    return link && !tuner.own().may_share_memory() ? link->alpha / usual_link.alpha : 1;
}

bool tries_shared_memory(Tuner& tuner) {
    const Settings& settings = tuner.settings();
    return tuner.own().may_share_memory() && !settings.reproducible && tuner.trials().tries();
}

bool may_turn_out_to_share_memory(Tuner& tuner) {
    return tuner.own().may_have_windows() && !tuner.own().knows_placement(true, false) &&
           !tuner.settings().reproducible && tuner.trials().tries();
}

bool is_open_to_shared_memory(Tuner& tuner) {
    if (tuner.requests().at_odds() || !tuner.requests().settled() || tuner.machine().has_profile() ||
        tuner.requests().keys() != nullptr)
        return false;
    const Settings& settings = tuner.settings();
    return tries_shared_memory(tuner) && !settings.mode && !settings.groups && settings.recipes.empty();
}

namespace {

bool tries_hierarchies(Tuner& tuner) {
    return tuner.size() >= least_ranks && !(tuner.own().knows_placement(true, false) &&
                                            tuner.own().placement(true, false).node_count() == 1);
}

/// Collectives for which ECHELON_GROUPS alone asks for a hierarchy.
bool reduces_or_broadcasts(Collective collective) {
    return collective == Collective::allreduce || collective == Collective::reduce ||
           collective == Collective::bcast;
}

bool is_off(Tuner& tuner) {
    return tuner.settings().mode == Mode::off ||
           (tuner.requests().keys() != nullptr && tuner.requests().keys()->mode == Mode::off);
}

/// The recipe that settings of a communicator or of the process ask for; nullopt if they leave it open.
std::optional<Recipe> requested(const Settings& settings, Collective collective, Bytes bytes) {
    if (const auto table = settings.recipes.find(collective); table != settings.recipes.end())
        if (const Recipe* const recipe = table->second.find(bytes)) return *recipe;
    if (settings.mode == Mode::native) return Recipe{};
    if (settings.groups && reduces_or_broadcasts(collective))
        return leaders_recipe(*settings.groups, collective, bytes);
    return std::nullopt;
}

/// The settings of the process, as they hold on this communicator: its info keys may restore the automatic
/// choice.
Settings effective_settings(Tuner& tuner) {
    Settings settings = tuner.settings();
    if (tuner.requests().keys() != nullptr && tuner.requests().keys()->mode == Mode::automatic)
        settings.mode.reset();
    return settings;
}

}  // namespace

Recipe reproducible_rule(Collective collective, Bytes bytes) {
    // These algorithms keep the rank order and ignore the placement.
    const bool vector = bytes > short_vector;
    const auto flat = [](const char* name) { return Recipe{.kind = Recipe::Kind::flat, .name = name}; };
    if (collective == Collective::allreduce) return flat(vector ? "rabenseifner" : "recursive_doubling");
    if (collective == Collective::reduce) return flat(vector ? "rabenseifner" : "binomial");
    for (const Algorithm& row : catalog(collective))
        if (row.keeps_order || !reduces(collective))
            return {.kind = Recipe::Kind::flat, .name = std::string(row.name)};
    return {};
}

std::optional<Choice> known_choice(Tuner& tuner, const PlanKey& key) {
    if (tuner.requests().at_odds())
        return Choice{
            .recipe = {}, .source = Source::refused, .refusal = "the ranks have different settings"};
    if (tuner.forced_recipe().active() != nullptr)
        return Choice{.recipe = tuner.forced_recipe().active()->recipe, .source = Source::trial};
    if (is_off(tuner)) return Choice{.recipe = {}, .source = Source::setting};
    const Bytes bytes = key.count * key.element_size;
    if (const auto* hint = tuner.hints().find(key.collective, bytes))
        return Choice{.recipe = hint->recipe, .source = Source::hint};
    if (tuner.requests().keys() != nullptr)
        if (auto recipe = requested(*tuner.requests().keys(), key.collective, bytes))
            return Choice{.recipe = std::move(*recipe), .source = Source::key};
    if (auto recipe = requested(effective_settings(tuner), key.collective, bytes))
        return Choice{.recipe = std::move(*recipe), .source = Source::setting};
    if (tuner.settings().reproducible && reduces(key.collective))
        return Choice{.recipe = reproducible_rule(key.collective, bytes), .source = Source::setting};
    // A user-made operation has one long element, which no recipe cuts: models of long vectors do not hold.
    if (reduces(key.collective) && key.element_size > short_vector)
        return Choice{.recipe = {}, .source = Source::built_in};
    if (const Outcome* const found = tuner.trials().finding(key))
        return Choice{.recipe = found->recipe,
                      .source = Source::trial,
                      .refusal = found->loser,
                      .evidence = {found->native, found->seconds}};
    if (const CallDecision* const decision = tuner.decisions().find(key))
        if (decision->choice.source != Source::trial ||
            !tuner.own().lacks_windows(decision->choice.recipe, key.collective))
            return decision->choice;
    if (chooses_native_only(tuner, key.collective)) return Choice{.recipe = {}, .source = Source::built_in};
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

bool chooses_native_only(Tuner& tuner, Collective collective) {
    if (tuner.forced_recipe().active() != nullptr) return false;
    if (tuner.settings().reproducible && reduces(collective))
        return tuner.requests().at_odds() || is_off(tuner);
    if (tuner.requests().at_odds() || is_off(tuner)) return true;
    const auto asks_nothing = [&](const Settings& settings) {
        return !settings.recipes.contains(collective) &&
               (!settings.groups || !reduces_or_broadcasts(collective));
    };
    const Settings settings = effective_settings(tuner);
    if (tuner.hints().any(collective) || !asks_nothing(settings) ||
        (tuner.requests().keys() != nullptr && !asks_nothing(*tuner.requests().keys())))
        return false;
    const bool asked_native =
        settings.mode == Mode::native ||
        (tuner.requests().keys() != nullptr && tuner.requests().keys()->mode == Mode::native);
    if (!asked_native && tuner.machine().has_profile()) return false;
    return asked_native ||
           !(tries_hierarchies(tuner) || tries_shared_memory(tuner) || may_turn_out_to_share_memory(tuner));
}

long native_calls_before_decision(Tuner& tuner, const PlanKey& key) {
    // Inside a node, the finding of another program costs a window before it gains.
    const bool may_be_known = tuner.machine().knows(key.collective) ||
                              (!tuner.settings().learn.empty() && !tuner.own().may_share_memory());
    if (may_be_known && !tuner.decisions().is_undecided(key)) return 0;
    // Calls that do not synchronise follow each other faster than one of them takes.
    const bool together = key.synchronises(tuner.size()), memory = tuner.own().may_share_memory();
    const JobMap* const job_map = tuner.process().world().job_map();
    const DefaultCosts costs(tuner.size(), memory, step_here(tuner) / (together ? 1 : 2),
                             job_map == nullptr ? 0 : job_map->byte());
    const Bytes bytes = key.count * key.element_size;
    const bool in_passing =
        together && !memory && tuner.process().world().for_handouts(tuner.user()) != MPI_COMM_NULL;
    const long calls =
        in_passing ? calls_before_decision_in_passing(costs, bytes, quirks::nonblocking_bcasts_go_to_each)
                   : calls_before_decision(costs, bytes);
    // Rank 0 knows nothing better for these calls, and there is less to gain: a hundredth of their time is
    // enough. Calls through memory are short, and counting more of them would cost too much.
    constexpr long less_often = 5;
    return may_be_known && !memory ? less_often * calls : calls;
}

Trial* trial_of(Tuner& tuner, const PlanKey& key, Source source) {
    const CallClass calls = tuner.classes().of(key);
    if (tuner.forced_recipe().active() != nullptr) return nullptr;
    if (tuner.trials().finding(key) != nullptr)
        return source == Source::trial ? tuner.trials().find(calls) : nullptr;
    const CallDecision* const decision = tuner.decisions().find(key);
    if (decision == nullptr || decision->arms.size() < 2 || source != decision->choice.source) return nullptr;
    constexpr Bytes exchanged = 512, in_caches = Bytes(64) << 10;
    const bool is_short = key.count * key.element_size <= in_caches;
    // MPI_Init has found out which ranks read the same clock.
    if (const JobMap* const job_map = tuner.process().world().job_map();
        job_map != nullptr && !tuner.trials().knows_clock())
        tuner.trials().set_clock_shared(job_map->share_a_clock(ranks_in_world(tuner.user())));
    const DefaultCosts costs = default_costs_here(tuner);
    const auto rounds = tuner.trials().knows_clock() ? std::optional(seconds(costs.rounds())) : std::nullopt;
    const bool calibrated = tuner.machine().knows(key.collective);
    // A profile knows the times of this network.
    const Seconds usual = seconds(costs.call(key.count * key.element_size)),
                  first = calibrated ? decision->arms.front().expected : 0;
    const double slower = first > 0 ? first / usual : network_slowdown(tuner);
    return &tuner.trials().begin(calls, decision->arms,
                                 {.share = tuner.trials().percent(key) / 100.0,
                                  .first_share = calibrated ? 0.01 : 0.02,
                                  .calibrated = calibrated,
                                  .exchange = slower * seconds(costs.call(exchanged)),
                                  .rounds = rounds,
                                  .warm_up = !tuner.own().may_share_memory()  ? 0
                                             : !is_short                      ? 1
                                             : key.synchronises(tuner.size()) ? 5
                                                                              : 12});
}

}  // namespace echelon
