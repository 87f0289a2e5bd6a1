// SPDX-License-Identifier: Apache-2.0
#include "tuner/decide.hpp"

#include "estimators/choice/outside_model.hpp"
#include "flat/catalog.hpp"
#include "hier/one_way.hpp"
#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"
#include "tuner/requests.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace echelon {

std::shared_ptr<Decider> prior_decider(Tuner& tuner) {
    if (tuner.size() < rules.least_ranks) return nullptr;
    const Placement& placement = tuner.own().placement(true, false);
    // A hierarchy gains nothing on one node, as far as Echelon's own model knows.
    if (placement.node_count() == 1 && !has_outside_model()) return nullptr;
    const JobMap* const job_map = tuner.process().world().job_map();
    const bool native_parts = false,
               shares = tuner.own().may_have_windows() && job_map != nullptr && job_map->has_room();
    return tuner.shared().deciders().of(tuner.shared().prior_machine(shares), placement, native_parts,
                                        Width::few);
}

namespace {

Choice by_profile_or_rule(Tuner& tuner, const PlanKey& key) {
    const Bytes bytes = key.bytes();
    Advisor* const advisor = tuner.machine().advisor();
    if (advisor == nullptr) return {.recipe = {}, .source = Source::built_in};
    auto advice = advisor->advise(key.collective, bytes, key.call().operation);
    if (!advice.refusal.empty())
        tuner.process().log().once(
            tuner.rank() == 0,
            std::string(name(key.collective)) + ": a rule of the profile cannot serve: " + advice.refusal);
    return {.recipe = std::move(advice.recipe),
            .source = advice.source,
            .refusal = {},
            .evidence = {advice.native_seconds, advice.seconds}};
}

/// A trial must not add waiting. With eager sends a rank leaves a short rooted call before other ranks enter
/// it; only one-way recipes keep this.
bool adds_no_waiting(const Recipe& recipe, const PlanKey& key) {
    constexpr Bytes sent_at_once = 8 << 10;
    return pattern(key.collective) == Pattern::to_all || key.bytes() > sent_at_once ||
           is_one_way(recipe, key.collective);
}

/// The best few recipes that may be tried.
std::vector<Recipe> best_to_try(Decider& decider, const PlanKey& key) {
    const Bytes bytes = key.bytes();
    const Operation operation = key.call().operation;
    std::vector<Recipe> best = decider.chosen(key.collective, bytes, operation, Policy::model).rivals;
    const bool all_may =
        std::erase_if(best, [&](const Recipe& one) { return !adds_no_waiting(one, key); }) == 0;
    if (all_may && pattern(key.collective) == Pattern::to_all) return best;
    // Pipelines are slow alone and fast in a row. The number of rows that are priced is limited: the usual
    // algorithm, which stands for native, comes first, and then the fastest alone.
    std::vector<std::pair<Seconds, Recipe>> by_time, by_pace;
    const auto add = [&](const Recipe& recipe) {
        if (recipe.kind == Recipe::Kind::native || !adds_no_waiting(recipe, key)) return;
        if (std::ranges::find(by_time, recipe, [](const auto& one) { return one.second; }) != by_time.end())
            return;
        const Seconds time = decider.expected(recipe, key.collective, bytes, operation);
        if (time > 0) by_time.emplace_back(time, recipe);
    };
    for (const Candidate& one :
         decider.decide(key.collective, bytes, operation, Policy::model, Decider::Reasons::left_out).ranked)
        add(one.recipe);
    const Recipe usual = reproducible_rule(key.collective, bytes);
    add(usual);
    for (const Algorithm& row : catalog(key.collective))
        if (!row.in_window) add(decider.flat(row, bytes));
    std::ranges::stable_sort(by_time, {},
                             [&](const auto& one) { return std::pair(one.second != usual, one.first); });
    for (const auto& [time, recipe] : by_time)
        by_pace.emplace_back(decider.in_a_program(recipe, key.collective, bytes, operation), recipe);
    std::ranges::stable_sort(by_pace, {}, [](const auto& one) { return one.first; });
    best.clear();
    // Recipes of one price move the same messages between nodes: the first stands for all.
    Seconds last = 0;
    for (const auto& [pace, recipe] : by_pace)
        if (best.size() < rules.proposals && pace > rules.alike * last) {
            best.push_back(recipe);
            last = pace;
        }
    return best;
}

/// Expected time of a call in a program; 0 if unknown. Without a decider native takes as long as by
/// DefaultCosts.
Seconds expected(const Recipe& recipe, Tuner& tuner, const PlanKey& key, Decider* decider) {
    const Seconds found =
        decider == nullptr ? 0
                           : decider->in_a_program(recipe, key.collective, key.bytes(), key.call().operation);
    return found == 0 && recipe.kind == Recipe::Kind::native
               ? seconds(default_costs_here(tuner).call(key.bytes()))
               : found;
}

/// True if a recipe can serve the call here, as far as this rank knows.
bool can_serve(Tuner& tuner, const Recipe& recipe, const PlanKey& key) {
    if (!tuner.own().knows_placement(needs_placement(recipe), needs_topology(recipe)) ||
        (recipe.has_native_parts() && tuner.process().budget().most() == 0))
        return false;
    try {
        (void)resolve(recipe, key.collective, tuner.own().placement(recipe), tuner.rank(),
                      key.call().operation);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Findings of other communicators and of earlier programs for calls of about this size.
std::vector<LearnedDecision> learned(Tuner& tuner, const PlanKey& key) {
    if (!tuner.own().knows_placement(true, false)) return {};
    auto found =
        tuner.shared().learned().about(key.collective, tuner.size(), tuner.machine().layout(), key.bytes());
    std::erase_if(found, [&](const LearnedDecision& one) {
        return !can_serve(tuner, one.recipe, key) || !adds_no_waiting(one.recipe, key);
    });
    return found;
}

/// Time of messages over the time that DefaultCosts assumes, by the profile or by MPI_Init's measurement.
double slowdown(Tuner& tuner, const DefaultCosts& costs, Decider* decider) {
    if (!tuner.machine().has_profile() || decider == nullptr || tuner.own().may_share_memory())
        return network_slowdown(tuner);
    constexpr Bytes few = 8;
    const auto call = decider->predicted(reproducible_rule(Collective::allreduce, few), Collective::allreduce,
                                         few, {.in_order = false, .exact = true});
    return call ? *call / seconds(costs.call(few)) : 1;
}

/// A choice with the arms of its trial: the choice first, native, findings from elsewhere, the choice without
/// findings, the best recipes by price.
CallDecision with_arms(Tuner& tuner, const PlanKey& key, const Choice& choice, const Choice& unlearned,
                       const std::vector<LearnedDecision>& learned) {
    Advisor* const advisor = tuner.machine().advisor();
    const std::shared_ptr<Decider> decider =
        advisor != nullptr ? advisor->shared_decider() : prior_decider(tuner);
    const DefaultCosts costs = default_costs_here(tuner);
    const double slower = slowdown(tuner, costs, decider.get());
    CallDecision made{.choice = choice, .slower = slower};
    std::vector<Trial::Arm>& arms = made.arms;
    const auto add = [&](const Recipe& recipe) {
        const auto is_it = [&](const Trial::Arm& one) { return one.recipe == recipe; };
        if (arms.size() == rules.most_arms || std::ranges::any_of(arms, is_it)) return;
        const auto made = std::uint64_t(tuner.own().missing_communicators(recipe, key.collective));
        const std::uint64_t window = tuner.own().misses_windows(recipe, key.collective) ? costs.window() : 0;
        const bool connects = quirks::connects_late && recipe.kind != Recipe::Kind::native;
        arms.push_back({.recipe = recipe,
                        .expected = expected(recipe, tuner, key, decider.get()),
                        .setup = slower * seconds(std::max(made * costs.communicator(),
                                                           connects ? costs.connections() : 0) +
                                                  window)});
    };
    add(choice.recipe);
    add(Recipe());
    const Seconds native = expected(Recipe(), tuner, key, decider.get());
    for (const LearnedDecision& one : learned) {
        add(one.recipe);
        const auto arm = std::ranges::find(arms, one.recipe, &Trial::Arm::recipe);
        if (arm == arms.end()) continue;
        arm->known = true;
        if (one.native_seconds > 0) arm->expected = native * one.seconds / one.native_seconds;
    }
    for (Trial::Arm& arm : arms) {
        if (arm.recipe.kind != Recipe::Kind::native) continue;
        // Times may have changed since the finding: native needs as little proof.
        arm.known = arm.known || choice.source == Source::profile_decision;
        // The profile has measured both.
        arm.seen = choice.source == Source::model && choice.evidence.known();
    }
    add(unlearned.recipe);
    std::vector<Recipe> best;
    if (unlearned.source == Source::model)
        best = advisor->rivals(key.collective, key.bytes(), key.call().operation);
    else if (advisor == nullptr && decider != nullptr)
        best = best_to_try(*decider, key);
    for (const Recipe& recipe : best)
        if (adds_no_waiting(recipe, key)) add(recipe);
    if (tries_shared_memory(tuner)) add(shared_memory());
    return made;
}

/// Expected time of a call over the calls of a typical program, with the cost of creating what it needs.
Seconds in_all(const Trial::Arm& arm) { return arm.expected + arm.setup / rules.usual_calls; }

/// The fastest arm of those that need no communicators for native phases; nullptr if no time is known.
const Trial::Arm* fastest_without_native_parts(const std::vector<Trial::Arm>& arms) {
    const Trial::Arm* best = nullptr;
    for (const Trial::Arm& one : arms)
        if (one.expected > 0 && !one.recipe.has_native_parts() &&
            (best == nullptr || in_all(one) < in_all(*best)))
            best = &one;
    return best;
}

/// The arm with which a trial on a calibrated machine begins in place of the model's choice, which is native
/// or has native phases: the fastest without them, if it is expected to gain. Alone or at worst it may be
/// slower than native, which the trial compares first.
std::optional<Recipe> expected_to_gain(Tuner& tuner, const PlanKey& key,
                                       const std::vector<Trial::Arm>& arms) {
    Advisor* const advisor = tuner.machine().advisor();
    if (advisor == nullptr || advisor->policy(key.collective, key.bytes()) != Policy::model ||
        advisor->decider().native(key.collective, key.bytes()) == 0)
        return std::nullopt;
    const Trial::Arm* const best = fastest_without_native_parts(arms);
    // The time of native is known better than that of a recipe.
    const double error = arms.front().recipe.kind == Recipe::Kind::native ? doubt(tuner) : 1;
    if (best == nullptr || best->recipe.kind == Recipe::Kind::native ||
        in_all(*best) * error >= in_all(arms.front()))
        return std::nullopt;
    return best->recipe;
}

}  // namespace

double doubt(Tuner& tuner) {
    const Advisor* const advisor = tuner.machine().advisor();
    if (advisor == nullptr || !advisor->profile().parameters) return rules.doubt;
    constexpr double four_of_five = 1.28;  // standard deviations
    const double deviation = std::log1p(advisor->profile().parameters->residual) / four_of_five;
    return std::exp(deviation * deviation / 2);
}

bool may_be_tried(Tuner& tuner, const PlanKey& key) {
    return tuner.percent(key) > 0 && !tuner.settings().keeps_order();
}

std::optional<CallDecision> startup_decision(Tuner& tuner, const PlanKey& key) {
    const StartupResults& results = tuner.shared().startup_results();
    const Bytes bytes = key.bytes();
    const StartupResult* const result = results.find(key.collective, bytes);
    if (result == nullptr || !is_open_to_shared_memory(tuner)) return std::nullopt;
    const Recipe recipe = shared_memory();
    const bool made = tuner.own().is_provided(recipe, key),
               at_once = result->kind == StartupResult::Kind::seen && (made || results.everywhere);
    if (!at_once && !tuner.settings().learn.empty()) return std::nullopt;  // other programs may know more
    const bool hoped = result->kind == StartupResult::Kind::hoped,
               lost = result->kind == StartupResult::Kind::lost;
    const double longer = hoped ? double(bytes) / double(result->sizes.from) : 1;
    const Pace pace{longer * result->pace.native, longer * result->pace.shared};
    if (lost && pace.native < rules.shortest) return CallDecision{{.recipe = {}, .source = Source::built_in}};
    const Trial::Arm native{.expected = pace.native, .seen = at_once};
    const Trial::Arm shared{.recipe = recipe,
                            .expected = pace.shared,
                            .setup = made ? 0 : results.window,
                            .known = !lost,
                            .seen = lost};
    if (!at_once) return CallDecision{{.recipe = {}, .source = Source::built_in}, {native, shared}};
    Choice choice{.recipe = recipe, .source = Source::startup};
    if (!results.everywhere) choice.evidence = {pace.native, pace.shared};  // measured
    return CallDecision{choice, {shared, native}};
}

CallDecision decide(Tuner& tuner, const PlanKey& key) {
    if (auto found = startup_decision(tuner, key)) return *found;
    const Choice unlearned = by_profile_or_rule(tuner, key);
    if (unlearned.source == Source::profile_rule) return {unlearned};
    Choice choice = unlearned;
    const std::vector<LearnedDecision> known = learned(tuner, key);
    // Inside a node calls are short, and a recipe must also pay for what it creates.
    if (!known.empty() && known.front().sizes.contains(key.bytes()) && !tuner.own().may_share_memory())
        choice = {.recipe = known.front().recipe,
                  .source = Source::profile_decision,
                  .refusal = {},
                  .evidence = {known.front().native_seconds, known.front().seconds}};
    const bool tries = may_be_tried(tuner, key), models = choice.source == Source::model,
               makes = models && choice.recipe.has_native_parts(),
               // Calls that do not synchronise would await the communicators of native phases.
        waits = makes && !key.synchronises(tuner.size()) && !tuner.own().is_provided(choice.recipe, key);
    CallDecision made{.choice = choice};
    if (tries || waits) made = with_arms(tuner, key, choice, unlearned, known);
    std::optional<Recipe> other;
    if (waits) {
        const Trial::Arm* const best = fastest_without_native_parts(made.arms);
        other = best == nullptr ? Recipe() : best->recipe;
    } else if (tries && (makes || (models && choice.recipe.kind == Recipe::Kind::native))) {
        other = expected_to_gain(tuner, key, made.arms);
    }
    if (other) {
        made.choice = {.recipe = std::move(*other), .source = Source::model};
        if (tries) made = with_arms(tuner, key, made.choice, unlearned, known);
    }
    if (!tries) made.arms.clear();
    return made;
}

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

namespace {

/// Time of a decision; 0 if it is negligible.
Seconds price_of_decision(Tuner& tuner, const PlanKey& key) {
    const DefaultCosts costs = default_costs_here(tuner);
    Advisor* const advisor = tuner.machine().advisor();
    if (advisor == nullptr) return seconds(costs.decision(pattern(key.collective), key.bytes()));
    const Decider::Ground known = advisor->ground(key.collective, key.bytes(), key.call().operation);
    if (known == Decider::Ground::decided || !thinking_takes_time()) return 0;
    return seconds(known == Decider::Ground::measured
                       ? costs.decision_among_measured()
                       : costs.wide_decision(pattern(key.collective), key.bytes()));
}

}  // namespace

bool may_decide_early(Tuner& tuner, const PlanKey& key) {
    constexpr double half = 0.5;  // percent; the other half is for calls that are made
    const Seconds price = price_of_decision(tuner, key);
    return price == 0 || !learned(tuner, key).empty() || tuner.shared().allowance().covers(price, half);
}

long further_native_calls(Tuner& tuner, const PlanKey& key, long counted, Seconds since) {
    if (!learned(tuner, key).empty()) return 0;  // there is less to decide and more to gain
    const Seconds price = price_of_decision(tuner, key);
    const bool calibrated = tuner.machine().knows(key.collective);
    const Seconds known =
        calibrated ? tuner.machine().advisor()->decider().native(key.collective, key.bytes()) : 0;
    const DefaultCosts costs = default_costs_here(tuner);
    const Seconds one = known > 0 ? known : seconds(costs.call(key.bytes()));
    if (calibrated && (price <= rules.unnoticed_calls * one ||
                       (price <= rules.usual_calls * one && tuner.shared().allowance().covers(price))))
        return 0;
    if (!calibrated && counted == 0) return 0;
    const Seconds needed = rules.decide_part * price;
    const Seconds spent = calibrated ? double(counted) * one : std::max(now() - since, 1e-9);
    if (spent >= needed) return 0;
    // At least twice as many calls, and a few too many rather than too few: each question costs.
    constexpr double most = 64, surely = 1.1;
    const double more = std::clamp(surely * needed / std::max(spent, one) - 1, 1.0, most);
    return long(std::ceil(double(std::max(counted, 1L)) * more));
}

Choice choose(Tuner& tuner, const PlanKey& key) {
    if (const std::optional<Choice> known = known_choice(tuner, key)) return *known;
    const std::optional<CallDecision> seen = startup_decision(tuner, key);
    return seen ? seen->choice : by_profile_or_rule(tuner, key);
}

}  // namespace echelon
