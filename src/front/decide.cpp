// SPDX-License-Identifier: Apache-2.0
#include "front/decide.hpp"

#include "front/choose.hpp"
#include "hier/one_way.hpp"
#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace echelon {

std::shared_ptr<Decider> prior(State& state, PriorMachine::Known known) {
    if (state.size() < least_ranks) return nullptr;
    const Placement& placement = state.own().placement(true, false);
    if (placement.node_count() == 1) return nullptr;  // nothing to gain from a hierarchy
    const Roll* const roll = state.process().world().roll();
    const bool native_parts = false,
               shares = state.own().may_have_windows() && roll != nullptr && roll->has_room();
    return state.process().deciders().of(state.process().prior_machine().profile(known, shares), placement,
                                         native_parts, Width::few);
}

namespace {

Choice by_profile_or_rule(State& state, const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    Advisor* const advisor = state.machine().advisor();
    if (advisor == nullptr) return {.recipe = {}, .source = Source::built_in};
    auto advice = (*advisor)(key.collective, bytes, key.call().operation);
    if (!advice.refusal.empty())
        state.process().say().once(
            state.rank() == 0,
            std::string(name(key.collective)) + ": a rule of the profile cannot serve: " + advice.refusal);
    return {.recipe = std::move(advice.recipe),
            .source = advice.source,
            .refusal = {},
            .evidence = {advice.native_seconds, advice.seconds}};
}

/// Nobody has asked for it. Where libraries send at once, whoever is there or not, it must let no rank wait for those that need not have come.
bool may_be_tried(const Recipe& recipe, const PlanKey& key) {
    constexpr Bytes sent_at_once = 8 << 10;
    return pattern(key.collective) == Pattern::to_all || key.count * key.element_size > sent_at_once ||
           is_one_way(recipe, key.collective);
}

/// Whoever decides for those calls, and its best.
struct Prices {
    std::shared_ptr<Decider> prior;
    Decider* decider = nullptr;
    std::vector<Recipe> best = {};
};

/// The best few that may be tried.
std::vector<Recipe> best_to_try(Decider& decider, const PlanKey& key) {
    constexpr std::size_t few = 3;
    const Bytes bytes = key.count * key.element_size;
    const Operation operation = key.call().operation;
    std::vector<Recipe> best = decider.chosen(key.collective, bytes, operation, Policy::model).rivals;
    if (std::erase_if(best, [&](const Recipe& one) { return !may_be_tried(one, key); }) == 0) return best;
    for (const Candidate& one :
         decider.decide(key.collective, bytes, operation, Policy::model, Decider::Reasons::left_out).ranked)
        if (best.size() < few && !one.is_native() && may_be_tried(one.recipe, key) &&
            std::ranges::find(best, one.recipe) == best.end())
            best.push_back(one.recipe);
    return best;
}

Prices prices_of(State& state, const PlanKey& key, Source source) {
    const Bytes bytes = key.count * key.element_size;
    Prices prices;
    if (Advisor* const advisor = state.machine().advisor()) {
        prices.decider = &advisor->decider();
        if (source == Source::model)
            prices.best = advisor->rivals(key.collective, bytes, key.call().operation);
    } else if (source == Source::built_in) {
        prices.prior = prior(state, PriorMachine::Known::by_looks);
        prices.decider = prices.prior.get();
        if (prices.prior != nullptr) prices.best = best_to_try(*prices.prior, key);
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
    return found == 0 && recipe.kind == Recipe::Kind::native ? seconds(rough_here(state).call(bytes)) : found;
}

/// Whether a recipe can serve such calls here, as far as this rank knows.
bool can_serve(State& state, const Recipe& recipe, const PlanKey& key) {
    if (!state.own().knows_placement(needs_placement(recipe), needs_topology(recipe)) ||
        (recipe.has_native_parts() && state.process().budget().most() == 0))
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
    auto found = state.process().learned().about(key.collective, state.size(), state.machine().layout(),
                                                 key.count * key.element_size);
    std::erase_if(found, [&](const LearnedDecision& one) {
        return !can_serve(state, one.recipe, key) || !may_be_tried(one.recipe, key);
    });
    return found;
}

/// How much longer messages take than is roughly supposed, by the profile or what MPI_Init saw.
double pace(State& state, const Rough& rough, Decider* decider) {
    if (!state.machine().has_profile() || decider == nullptr || state.own().may_share_memory())
        return pace_seen(state);
    constexpr Bytes few = 8;
    const auto call = decider->predicted(reproducible_rule(Collective::allreduce, few), Collective::allreduce,
                                         few, {.in_order = false, .exact = true});
    return call ? *call / seconds(rough.call(few)) : 1;
}

/// What runs and what is tried beside it: the choice first, native, what won elsewhere, what ran if nothing had
/// been learned, what could be better. Empty: the choice is settled.
std::vector<Tournament::Arm> arms_of(State& state, const PlanKey& key, const Choice& choice,
                                     const Choice& unlearned, const std::vector<LearnedDecision>& learned) {
    std::vector<Tournament::Arm> arms;
    if (state.contests().percent(key) == 0 || state.process().settings().reproducible) return arms;
    const Prices prices = prices_of(state, key, unlearned.source);
    const Rough rough = rough_here(state);
    const double slower = pace(state, rough, prices.decider);
    const auto add = [&](const Recipe& recipe) {
        constexpr std::size_t most = 8;
        const auto is_it = [&](const Tournament::Arm& one) { return one.recipe == recipe; };
        if (arms.size() == most || std::any_of(arms.begin(), arms.end(), is_it)) return;
        const auto made = std::uint64_t(state.own().missing_communicators(recipe, key.collective));
        const std::uint64_t window = state.own().misses_windows(recipe, key.collective) ? rough.window() : 0;
        const bool connects = quirks::connects_late && recipe.kind != Recipe::Kind::native;
        arms.push_back({.recipe = recipe,
                        .expected = expected(recipe, state, key, prices.decider),
                        .setup = slower * seconds(std::max(made * rough.communicator(),
                                                           connects ? rough.connections() : 0) +
                                                  window)});
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
    for (Tournament::Arm& arm : arms) {
        if (arm.recipe.kind != Recipe::Kind::native) continue;
        // Times may have changed since: native has as little to prove.
        arm.known = arm.known || choice.source == Source::profile_decision;
        // What both take was measured.
        arm.seen = choice.source == Source::model && choice.evidence.known();
    }
    add(unlearned.recipe);
    for (const Recipe& recipe : prices.best)
        if (may_be_tried(recipe, key)) add(recipe);
    if (tries_shared_memory(state)) add(shared_memory());
    return arms;
}

/// A recipe that needs no communicators, where those of the first arm take longer than what it gains by them in as many calls as programs
/// mostly make.
std::optional<Recipe> cheaper_to_make(const std::vector<Tournament::Arm>& arms) {
    constexpr double usual = 100;
    const auto in_all = [](const Tournament::Arm& one) { return one.expected + one.setup / usual; };
    const Tournament::Arm *const first = arms.data(), *best = first;
    for (const Tournament::Arm& one : arms)
        if (one.recipe.kind != Recipe::Kind::native && !one.recipe.has_native_parts() &&
            one.expected >= first->expected && in_all(one) < in_all(*best))
            best = &one;
    return best == first ? std::nullopt : std::optional(best->recipe);
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
    if (choice.source != Source::model || !choice.recipe.has_native_parts())
        return {std::move(choice), std::move(arms)};
    if (auto other = cheaper_to_make(arms)) {
        choice = {.recipe = std::move(*other), .source = Source::model};
        arms = arms_of(state, key, choice, unlearned, known);
    }
    return {std::move(choice), std::move(arms)};
}

namespace {

/// A decision pays where such calls have taken so many times its price.
constexpr double share = 32;

Decider::Ground ground(Advisor& advisor, const PlanKey& key) {
    return advisor.ground(key.collective, key.count * key.element_size, key.call().operation);
}

/// What it takes by the profile; 0: nothing to speak of.
Seconds price_by_profile(State& state, Advisor& advisor, const PlanKey& key) {
    const Decider::Ground known = ground(advisor, key);
    if (known == Decider::Ground::decided || !thinking_takes_time()) return 0;
    const Rough rough = rough_here(state);
    const Bytes bytes = key.count * key.element_size;
    return seconds(known == Decider::Ground::measured ? rough.decision_among_measured()
                                                      : rough.wide_decision(pattern(key.collective), bytes));
}

/// As far as measurements tell, how much less a call takes by the best of that than natively.
Seconds gain_measured(Decider& decider, const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    const Seconds fastest = decider.fastest_measured(key.collective, bytes);
    return fastest > 0 ? decider.native(key.collective, bytes) - fastest : 0;
}

/// What calls take is known there before they come. `made`: so many were.
long calls_too_early_by_profile(State& state, Advisor& advisor, const PlanKey& key, long made) {
    const Seconds price = price_by_profile(state, advisor, key);
    const Bytes bytes = key.count * key.element_size;
    const Seconds known = advisor.decider().native(key.collective, bytes),
                  one = known > 0 ? known : seconds(rough_here(state).call(bytes));
    // A program that makes one such call mostly makes so many; so few nobody notices in these; what so many gain soon comes back.
    constexpr double usual = 100, few = 4, soon = 10;
    if (price <= usual * one && state.process().allowance().covers(price)) return 0;
    const Seconds early = std::max(few * one, soon * gain_measured(advisor.decider(), key));
    const long left = long(share * price / one) - made;
    if (price <= early || left <= 0) return 0;
    // Meanwhile the program may have come to the time.
    return std::min(left, std::max({made, calls_worth_a_thought(rough_here(state), bytes), 1L}));
}

}  // namespace

bool may_decide_early(State& state, const PlanKey& key) {
    Advisor* const advisor = state.machine().advisor();
    if (advisor == nullptr) return false;
    constexpr double half = 0.5;  // the rest is for calls that come
    return ground(*advisor, key) != Decider::Ground::model ||
           state.process().allowance().covers(price_by_profile(state, *advisor, key), half);
}

bool may_gain_at_once(State& state, const PlanKey& key) {
    if (!learned(state, key).empty()) return true;
    Advisor& advisor = *state.machine().advisor();
    if (ground(advisor, key) == Decider::Ground::decided)
        return by_profile_or_rule(state, key).recipe.kind != Recipe::Kind::native;
    return calls_too_early_by_profile(state, advisor, key, 0) == 0;
}

long calls_too_early(State& state, const PlanKey& key) {
    const Agenda::Patience* const patience = state.agenda().patience_of(key);
    // Where such calls have a winner already, there is less to think about, and more to gain.
    if (patience == nullptr || !learned(state, key).empty()) return 0;
    if (state.machine().knows(key.collective))
        return calls_too_early_by_profile(state, *state.machine().advisor(), key, patience->calls);
    if (patience->calls == 0) return 0;
    // A profile that knows nothing of the collective looks as widely.
    const Rough rough = rough_here(state);
    const Bytes bytes = key.count * key.element_size;
    const bool wide = state.machine().advisor() != nullptr;
    const Seconds spent = std::max(now() - patience->since, 1e-9),
                  needed = share * seconds(wide ? rough.wide_decision(pattern(key.collective), bytes)
                                                : rough.decision(bytes));
    if (spent >= needed) return 0;
    // Twice as many at least, and rather a few too many: each question costs.
    constexpr double most = 64, surely = 1.1;
    return long(double(patience->calls) * std::clamp(surely * needed / spent - 1, 1.0, most));
}

Choice choose(State& state, const PlanKey& key) {
    const std::optional<Choice> known = known_choice(state, key);
    return known ? *known : by_profile_or_rule(state, key);
}

}  // namespace echelon
