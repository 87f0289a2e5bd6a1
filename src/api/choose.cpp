// SPDX-License-Identifier: Apache-2.0
#include "api/choose.hpp"

#include "estimators/profile/built_in_machine.hpp"
#include "flat/catalog.hpp"
#include "mpi/clock.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace echelon {

Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes) {
    constexpr Bytes large = Bytes(64) << 10;
    const auto flat = [](const char* name) { return Recipe{.kind = Recipe::Kind::flat, .name = name}; };
    const bool vector = bytes > large;
    Recipe inner = flat("binomial"), outer = flat("binomial");
    if (collective == Collective::allreduce) outer = flat(vector ? "rabenseifner" : "recursive_doubling");
    if (collective == Collective::reduce && vector) outer = flat("rabenseifner");
    if (collective == Collective::bcast && vector) outer = flat("scatter_allgather");
    if (collective == Collective::barrier) outer = flat("dissemination");
    return {.kind = Recipe::Kind::leaders,
            .groups = std::move(groups),
            .parts = {std::move(inner), std::move(outer)}};
}

namespace {

constexpr Bytes short_vector = Bytes(64) << 10;

bool reduces_or_broadcasts(Collective collective) {
    return collective == Collective::allreduce || collective == Collective::reduce ||
           collective == Collective::bcast;
}

/// Libraries copy longer messages once, and so win.
constexpr Bytes longest_shared = Bytes(1) << 20;

Recipe shared_memory() { return {.kind = Recipe::Kind::flat, .name = "shm"}; }

bool tries_hierarchies(State& state, Collective collective) {
    return reduces_or_broadcasts(collective) && state.size() >= least_ranks &&
           !(state.own().knows_placement(true, false) &&
             state.own().placement(true, false).node_count() == 1);
}

bool tries_shared_memory(State& state) {
    const Settings& settings = state.process().settings();
    return state.own().may_share_memory() && !settings.reproducible &&
           state.contests().tries(settings.trial_percent);
}

bool is_off(State& state) {
    return state.process().settings().mode == Mode::off ||
           (state.keys() != nullptr && state.keys()->mode == Mode::off);
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
    if (state.keys() != nullptr && state.keys()->mode == Mode::automatic) settings.mode.reset();
    return settings;
}

}  // namespace

std::shared_ptr<Decider> prior(State& state) {
    if (state.size() < least_ranks) return nullptr;
    const Placement& placement = state.own().placement(true, false);
    if (placement.node_count() == 1) return nullptr;  // nothing to gain from a hierarchy
    const bool native_parts = false;
    return state.process().deciders().of(built_in_profile(), placement, native_parts, Width::few);
}

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
    if (state.at_odds())
        return Choice{
            .recipe = {}, .source = Source::refused, .refusal = "the ranks have different settings"};
    if (state.rehearsal() != nullptr)
        return Choice{.recipe = state.rehearsal()->recipe, .source = Source::trial};
    if (is_off(state)) return Choice{.recipe = {}, .source = Source::setting};
    const Bytes bytes = key.count * key.element_size;
    if (const auto* hint = state.hints().find(key.collective, bytes))
        return Choice{.recipe = hint->recipe, .source = Source::hint};
    if (state.keys() != nullptr)
        if (auto recipe = asked(*state.keys(), key.collective, bytes))
            return Choice{.recipe = std::move(*recipe), .source = Source::key};
    if (auto recipe = asked(here(state), key.collective, bytes))
        return Choice{.recipe = std::move(*recipe), .source = Source::setting};
    if (state.process().settings().reproducible && reduces(key.collective))
        return Choice{.recipe = reproducible_rule(key.collective, bytes), .source = Source::setting};
    // An element of a user-made operation, which nobody cuts: what is known of long vectors does not hold.
    if (reduces(key.collective) && key.element_size > short_vector)
        return Choice{.recipe = {}, .source = Source::built_in};
    if (const Outcome* const found = state.finding(key))
        return Choice{.recipe = found->recipe,
                      .source = Source::trial,
                      .refusal = found->loser,
                      .evidence = {found->native, found->seconds}};
    if (const ToldChoice* const decision = state.told().find(key)) return decision->choice;
    const bool too_long =
        bytes > longest_shared && state.profile() == nullptr && !tries_hierarchies(state, key.collective);
    if (too_long || chooses_native_only(state, key.collective))
        return Choice{.recipe = {}, .source = Source::built_in};
    return std::nullopt;
}

namespace {

Choice by_profile_or_rule(State& state, const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    Advisor* const advisor = state.advisor();
    if (advisor == nullptr) return {.recipe = {}, .source = Source::built_in};
    auto advice = (*advisor)(key.collective, bytes, key.call().operation);
    if (!advice.refusal.empty())
        state.process().say_once(
            state.rank() == 0,
            std::string(name(key.collective)) + ": a rule of the profile cannot serve: " + advice.refusal);
    return {.recipe = std::move(advice.recipe),
            .source = advice.source,
            .refusal = {},
            .evidence = {advice.native_seconds, advice.seconds}};
}

/// Where no model knows better: a network of 5 us and 1 GB/s, or the memory of a node. In nanoseconds, which are
/// the same on all processors.
class Rough {
public:
    explicit Rough(State& state)
        : ranks_(std::uint64_t(state.size())), memory_(state.own().may_share_memory()) {}

    std::uint64_t call(Bytes bytes) const { return steps() + (memory_ ? bytes / 8 : bytes); }
    /// The least that it takes: on a quick network.
    std::uint64_t quick_call(Bytes bytes) const { return memory_ ? call(bytes) : steps() / 5 + bytes; }
    /// One rank looks at what it knows, and tells by a short broadcast what it has decided,
    std::uint64_t thought() const { return memory_ ? steps() + 40'000 : steps() / 5 + 100'000; }
    /// for which it needs that long: an allreduce has more shapes, and more to combine in them.
    std::uint64_t decision(Collective collective) const {
        if (memory_) return 0;
        return (collective == Collective::allreduce ? 50'000 : 25'000) * ranks_;
    }
    std::uint64_t communicator() const { return 4 * steps() + 50 * ranks_ + (memory_ ? 20'000 : 0); }
    std::uint64_t window() const { return 50'000 + 20'000 * ranks_; }

private:
    std::uint64_t steps() const { return (memory_ ? 200 : 5'000) * std::uint64_t(std::bit_width(ranks_)); }

    std::uint64_t ranks_;
    bool memory_;
};

Seconds seconds(std::uint64_t nanoseconds) { return 1e-9 * double(nanoseconds); }

/// Whoever decides for those calls, and its best.
struct Prices {
    std::shared_ptr<Decider> prior;
    Decider* decider = nullptr;
    std::vector<Recipe> best = {};
};

Prices prices_of(State& state, const PlanKey& key, Source source) {
    const Bytes bytes = key.count * key.element_size;
    Prices prices;
    if (Advisor* const advisor = state.advisor()) {
        prices.decider = &advisor->decider();
        if (source == Source::model)
            prices.best = advisor->rivals(key.collective, bytes, key.call().operation);
    } else if (source == Source::built_in && reduces_or_broadcasts(key.collective)) {
        prices.prior = prior(state);
        prices.decider = prices.prior.get();
        if (prices.prior != nullptr)
            prices.best =
                prices.prior->chosen(key.collective, bytes, key.call().operation, Policy::model).rivals;
    }
    return prices;
}

/// By that decider; of native that was never measured, what a usual algorithm takes.
Seconds expected(const Recipe& recipe, State& state, const PlanKey& key, Decider* decider) {
    const Bytes bytes = key.count * key.element_size;
    const Operation operation = key.call().operation;
    Seconds found = 0;
    if (decider != nullptr) {
        found = decider->expected(recipe, key.collective, bytes, operation);
        if (found == 0 && recipe.kind == Recipe::Kind::native)
            found =
                decider->predicted(reproducible_rule(key.collective, bytes), key.collective, bytes, operation)
                    .value_or(0);
    }
    return found == 0 && recipe.kind == Recipe::Kind::native ? seconds(Rough(state).call(bytes)) : found;
}

/// Whether a recipe can serve such calls here, as far as this rank knows.
bool can_serve(State& state, const Recipe& recipe, const PlanKey& key) {
    if (!state.own().knows_placement(needs_placement(recipe), needs_topology(recipe)) ||
        (recipe.has_native_parts() && state.process().most_communicators() == 0))
        return false;
    try {
        (void)resolve(recipe, key.collective, state.own().placement(recipe), state.rank(),
                      key.call().operation);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// What was found on other communicators, or in other programs, for such calls and for those of about their
/// size.
std::vector<LearnedDecision> learned(State& state, const PlanKey& key) {
    if (!state.own().knows_placement(true, false)) return {};
    auto found = state.process().learned().about(key.collective, state.size(),
                                                 layout_of(state.own().placement(true, false)),
                                                 key.count * key.element_size);
    std::erase_if(found, [&](const LearnedDecision& one) { return !can_serve(state, one.recipe, key); });
    return found;
}

/// What runs and what is tried beside it: the choice first, native, what won elsewhere, what ran if nothing had
/// been learned, what could be better. Empty: the choice is settled.
std::vector<Tournament::Arm> arms_of(State& state, const PlanKey& key, const Choice& choice,
                                     const Choice& unlearned, const std::vector<LearnedDecision>& learned) {
    std::vector<Tournament::Arm> arms;
    if (state.trial_percent(key) == 0 || state.process().settings().reproducible) return arms;
    const Prices prices = prices_of(state, key, unlearned.source);
    const Rough rough(state);
    const auto add = [&](const Recipe& recipe) {
        constexpr std::size_t most = 8;
        const auto is_it = [&](const Tournament::Arm& one) { return one.recipe == recipe; };
        if (arms.size() == most || std::any_of(arms.begin(), arms.end(), is_it)) return;
        const auto made = std::uint64_t(state.own().missing_communicators(recipe, key.collective));
        const std::uint64_t window =
            recipe == shared_memory() && !state.own().is_provided(recipe, key) ? rough.window() : 0;
        arms.push_back({.recipe = recipe,
                        .expected = expected(recipe, state, key, prices.decider),
                        .setup = seconds(made * rough.communicator() + window)});
    };
    add(choice.recipe);
    add(Recipe());
    const Seconds native = expected(Recipe(), state, key, prices.decider);
    for (const LearnedDecision& one : learned) {
        add(one.recipe);
        const auto arm = std::find_if(arms.begin(), arms.end(), [&](const Tournament::Arm& tried) {
            return tried.recipe == one.recipe;
        });
        if (arm == arms.end()) continue;
        arm->known = true;
        if (one.native_seconds > 0) arm->expected = native * one.seconds / one.native_seconds;
    }
    // Times may have changed since: native has as little to prove.
    if (choice.source == Source::profile_decision) {
        for (Tournament::Arm& arm : arms)
            if (arm.recipe.kind == Recipe::Kind::native) arm.known = true;
    }
    add(unlearned.recipe);
    for (const Recipe& recipe : prices.best) add(recipe);
    if (tries_shared_memory(state) && key.count * key.element_size <= longest_shared) add(shared_memory());
    return arms;
}

}  // namespace

ToldChoice decide(State& state, const PlanKey& key) {
    const Choice unlearned = by_profile_or_rule(state, key);
    if (unlearned.source == Source::profile_rule) return {unlearned};
    Choice choice = unlearned;
    const std::vector<LearnedDecision> known = learned(state, key);
    // Inside a node calls are short, and have to pay for what a recipe makes, too.
    if (!known.empty() && known.front().sizes.contains(key.count * key.element_size) &&
        !state.own().may_share_memory())
        choice = {.recipe = known.front().recipe,
                  .source = Source::profile_decision,
                  .refusal = {},
                  .evidence = {known.front().native_seconds, known.front().seconds}};
    std::vector<Tournament::Arm> arms = arms_of(state, key, choice, unlearned, known);
    return {std::move(choice), std::move(arms)};
}

long calls_before_thinking(State& state, const PlanKey& key) {
    // What another program has found inside a node has to be made before it gains.
    if (state.is_calibrated() ||
        (!state.process().settings().learn.empty() && !state.own().may_share_memory()))
        return 0;
    // Programs of few calls do not notice it either.
    constexpr std::uint64_t share = 20, few = 20, few_share = 500;
    const Rough rough(state);
    const std::uint64_t call = rough.quick_call(key.count * key.element_size), thought = rough.thought();
    const std::uint64_t calls = share * thought / call;
    return long(few_share * thought > few * call ? std::max(calls, few) : calls);
}

long calls_too_early(State& state, const PlanKey& key) {
    const State::Patience* const patience = state.patience_of(key);
    // Where such calls have a winner already, there is less to think about, and more to gain.
    if (patience == nullptr || patience->calls == 0 || !learned(state, key).empty()) return 0;
    constexpr double share = 32;
    const Seconds spent = std::max(now() - patience->since, 1e-9),
                  needed = share * seconds(Rough(state).decision(key.collective));
    if (spent >= needed) return 0;
    // Twice as many at least, and rather a few too many: each question costs.
    constexpr double most = 64, surely = 1.1;
    return long(double(patience->calls) * std::clamp(surely * needed / spent - 1, 1.0, most));
}

Contest* contest_of(State& state, const PlanKey& key, Source source) {
    const CallClass calls = CallClass::of(key);
    if (state.rehearsal() != nullptr) return nullptr;
    if (source == Source::trial) return state.contests().find(calls);
    const ToldChoice* const decision = state.told().find(key);
    if (decision == nullptr || decision->arms.size() < 2 || source != decision->choice.source) return nullptr;
    constexpr Bytes exchanged = 512;
    return &state.contests().begin(calls, decision->arms,
                                   {.share = state.trial_percent(key) / 100.0,
                                    .settlement = seconds(Rough(state).call(exchanged)),
                                    .warm_up = state.own().may_share_memory() ? 5 : 0});
}

Choice choose(State& state, const PlanKey& key) {
    const std::optional<Choice> known = known_choice(state, key);
    return known ? *known : by_profile_or_rule(state, key);
}

std::vector<Recipe> forced(const Settings& settings, Collective collective) {
    std::vector<Recipe> list;
    const auto add = [&](Recipe recipe) {
        if (recipe.kind != Recipe::Kind::native) list.push_back(std::move(recipe));
    };
    if (settings.mode == Mode::off) return list;
    if (const auto table = settings.recipes.find(collective); table != settings.recipes.end())
        for (const RecipeTable::Row& row : table->second.rows()) add(row.recipe);
    for (const Bytes bytes : {Bytes(0), short_vector + 1}) {
        if (settings.groups && reduces_or_broadcasts(collective))
            add(leaders_recipe(*settings.groups, collective, bytes));
        if (settings.reproducible && reduces(collective)) add(reproducible_rule(collective, bytes));
    }
    return list;
}

bool chooses_native_only(State& state, Collective collective) {
    if (state.rehearsal() != nullptr) return false;
    if (state.process().settings().reproducible && reduces(collective))
        return state.at_odds() || is_off(state);
    if (state.at_odds() || is_off(state)) return true;
    const auto silent = [&](const Settings& settings) {
        return !settings.recipes.contains(collective) &&
               (!settings.groups || !reduces_or_broadcasts(collective));
    };
    const Settings settings = here(state);
    if (state.hints().any(collective) || !silent(settings) ||
        (state.keys() != nullptr && !silent(*state.keys())))
        return false;
    const bool asked_native =
        settings.mode == Mode::native || (state.keys() != nullptr && state.keys()->mode == Mode::native);
    if (!asked_native && state.profile() != nullptr) return false;
    return asked_native || !(tries_hierarchies(state, collective) || tries_shared_memory(state));
}

}  // namespace echelon
