// SPDX-License-Identifier: Apache-2.0
#include "tuner/decide.hpp"

#include "hier/one_way.hpp"
#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"
#include "tuner/choose.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace echelon {

std::shared_ptr<Decider> prior_decider(Tuner& tuner) {
    if (tuner.size() < least_ranks) return nullptr;
    const Placement& placement = tuner.own().placement(true, false);
    if (placement.node_count() == 1) return nullptr;  // a hierarchy gains nothing
    const JobMap* const job_map = tuner.process().world().job_map();
    const bool native_parts = false,
               shares = tuner.own().may_have_windows() && job_map != nullptr && job_map->has_room();
    return tuner.shared().deciders().of(tuner.shared().prior_machine(shares), placement, native_parts,
                                        Width::few);
}

namespace {

Choice by_profile_or_rule(Tuner& tuner, const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    Advisor* const advisor = tuner.machine().advisor();
    if (advisor == nullptr) return {.recipe = {}, .source = Source::built_in};
    auto advice = (*advisor)(key.collective, bytes, key.call().operation);
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
bool may_be_tried(const Recipe& recipe, const PlanKey& key) {
    constexpr Bytes sent_at_once = 8 << 10;
    return pattern(key.collective) == Pattern::to_all || key.count * key.element_size > sent_at_once ||
           is_one_way(recipe, key.collective);
}

/// The decider for a call, and its best recipes.
struct Prices {
    std::shared_ptr<Decider> prior;
    Decider* decider = nullptr;
    std::vector<Recipe> best = {};
};

/// The best few recipes that may be tried.
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

Prices prices_of(Tuner& tuner, const PlanKey& key, Source source) {
    const Bytes bytes = key.count * key.element_size;
    Prices prices;
    if (Advisor* const advisor = tuner.machine().advisor()) {
        prices.decider = &advisor->decider();
        if (source == Source::model)
            prices.best = advisor->rivals(key.collective, bytes, key.call().operation);
    } else if (source == Source::built_in) {
        prices.prior = prior_decider(tuner);
        prices.decider = prices.prior.get();
        if (prices.prior != nullptr) prices.best = best_to_try(*prices.prior, key);
    }
    return prices;
}

/// Expected time of a call; 0 if unknown. Native without a measurement counts like a usual flat algorithm,
/// and without a decider by DefaultCosts.
Seconds expected(const Recipe& recipe, Tuner& tuner, const PlanKey& key, Decider* decider) {
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
    return found == 0 && recipe.kind == Recipe::Kind::native ? seconds(default_costs_here(tuner).call(bytes))
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
    auto found = tuner.shared().learned().about(key.collective, tuner.size(), tuner.machine().layout(),
                                                key.count * key.element_size);
    std::erase_if(found, [&](const LearnedDecision& one) {
        return !can_serve(tuner, one.recipe, key) || !may_be_tried(one.recipe, key);
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

/// The arms of a trial: the choice first, native, findings from elsewhere, the choice without findings, the
/// best recipes by price. Empty: nothing is tried.
std::vector<Tournament::Arm> arms_of(Tuner& tuner, const PlanKey& key, const Choice& choice,
                                     const Choice& unlearned, const std::vector<LearnedDecision>& learned) {
    std::vector<Tournament::Arm> arms;
    if (tuner.trials().percent(key) == 0 || tuner.settings().reproducible) return arms;
    const Prices prices = prices_of(tuner, key, unlearned.source);
    const DefaultCosts costs = default_costs_here(tuner);
    const double slower = slowdown(tuner, costs, prices.decider);
    const auto add = [&](const Recipe& recipe) {
        constexpr std::size_t most = 8;
        const auto is_it = [&](const Tournament::Arm& one) { return one.recipe == recipe; };
        if (arms.size() == most || std::any_of(arms.begin(), arms.end(), is_it)) return;
        const auto made = std::uint64_t(tuner.own().missing_communicators(recipe, key.collective));
        const std::uint64_t window = tuner.own().misses_windows(recipe, key.collective) ? costs.window() : 0;
        const bool connects = quirks::connects_late && recipe.kind != Recipe::Kind::native;
        arms.push_back({.recipe = recipe,
                        .expected = expected(recipe, tuner, key, prices.decider),
                        .setup = slower * seconds(std::max(made * costs.communicator(),
                                                           connects ? costs.connections() : 0) +
                                                  window)});
    };
    add(choice.recipe);
    add(Recipe());
    const Seconds native = expected(Recipe(), tuner, key, prices.decider);
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
        // Times may have changed since the finding: native needs as little proof.
        arm.known = arm.known || choice.source == Source::profile_decision;
        // The profile has measured both.
        arm.seen = choice.source == Source::model && choice.evidence.known();
    }
    add(unlearned.recipe);
    for (const Recipe& recipe : prices.best)
        if (may_be_tried(recipe, key)) add(recipe);
    if (tries_shared_memory(tuner)) add(shared_memory());
    return arms;
}

/// The arm without native phases that is the fastest over 100 calls, with the cost of creating it; nullopt if
/// the first arm is. Typical programs make as many calls.
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

CallDecision decide(Tuner& tuner, const PlanKey& key) {
    const Choice unlearned = by_profile_or_rule(tuner, key);
    if (unlearned.source == Source::profile_rule) return {unlearned};
    Choice choice = unlearned;
    const std::vector<LearnedDecision> known = learned(tuner, key);
    // Inside a node calls are short, and a recipe must also pay for what it creates.
    if (!known.empty() && known.front().sizes.contains(key.count * key.element_size) &&
        !tuner.own().may_share_memory())
        choice = {.recipe = known.front().recipe,
                  .source = Source::profile_decision,
                  .refusal = {},
                  .evidence = {known.front().native_seconds, known.front().seconds}};
    std::vector<Tournament::Arm> arms = arms_of(tuner, key, choice, unlearned, known);
    if (choice.source != Source::model || !choice.recipe.has_native_parts())
        return {std::move(choice), std::move(arms)};
    if (auto other = cheaper_to_make(arms)) {
        choice = {.recipe = std::move(*other), .source = Source::model};
        arms = arms_of(tuner, key, choice, unlearned, known);
    }
    return {std::move(choice), std::move(arms)};
}

namespace {

/// A decision pays off once calls of the class have taken this multiple of its cost.
constexpr double share = 32;

Decider::Ground ground(Advisor& advisor, const PlanKey& key) {
    return advisor.ground(key.collective, key.count * key.element_size, key.call().operation);
}

/// Time of a decision by the profile; 0 if it is negligible.
Seconds price_by_profile(Tuner& tuner, Advisor& advisor, const PlanKey& key) {
    const Decider::Ground known = ground(advisor, key);
    if (known == Decider::Ground::decided || !thinking_takes_time()) return 0;
    const DefaultCosts costs = default_costs_here(tuner);
    const Bytes bytes = key.count * key.element_size;
    return seconds(known == Decider::Ground::measured ? costs.decision_among_measured()
                                                      : costs.wide_decision(pattern(key.collective), bytes));
}

/// Measured time that the best recipe saves per call.
Seconds gain_measured(Decider& decider, const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    const Seconds fastest = decider.fastest_measured(key.collective, bytes);
    return fastest > 0 ? decider.native(key.collective, bytes) - fastest : 0;
}

/// The profile knows the time of a call beforehand. `made`: number of calls up to this one.
long further_native_calls_by_profile(Tuner& tuner, Advisor& advisor, const PlanKey& key, long made) {
    const Seconds price = price_by_profile(tuner, advisor, key);
    const Bytes bytes = key.count * key.element_size;
    const Seconds known = advisor.decider().native(key.collective, bytes),
                  one = known > 0 ? known : seconds(default_costs_here(tuner).call(bytes));
    // A typical program makes `usual` calls of a class. The time of `few` calls goes unnoticed, and the gain
    // of `soon` calls pays the decision back.
    constexpr double usual = 100, few = 4, soon = 10;
    if (price <= usual * one && tuner.shared().allowance().covers(price)) return 0;
    const Seconds early = std::max(few * one, soon * gain_measured(advisor.decider(), key));
    const long left = long(share * price / one) - made;
    if (price <= early || left <= 0) return 0;
    // The question is asked again before that: the allowance may cover the price by then.
    return std::min(left, std::max({made, calls_before_decision(default_costs_here(tuner), bytes), 1L}));
}

}  // namespace

bool may_decide_early(Tuner& tuner, const PlanKey& key) {
    Advisor* const advisor = tuner.machine().advisor();
    if (advisor == nullptr) return false;
    constexpr double half = 0.5;  // the other half is for calls that are made
    return ground(*advisor, key) != Decider::Ground::model ||
           tuner.shared().allowance().covers(price_by_profile(tuner, *advisor, key), half);
}

bool may_gain_at_once(Tuner& tuner, const PlanKey& key) {
    if (!learned(tuner, key).empty()) return true;
    Advisor& advisor = *tuner.machine().advisor();
    if (ground(advisor, key) == Decider::Ground::decided)
        return by_profile_or_rule(tuner, key).recipe.kind != Recipe::Kind::native;
    return further_native_calls_by_profile(tuner, advisor, key, 0) == 0;
}

long further_native_calls(Tuner& tuner, const PlanKey& key) {
    const PendingDecisions::Countdown* const countdown = tuner.pending().countdown_of(key);
    // With a finding there is less to decide and more to gain.
    if (countdown == nullptr || !learned(tuner, key).empty()) return 0;
    if (tuner.machine().knows(key.collective))
        return further_native_calls_by_profile(tuner, *tuner.machine().advisor(), key, countdown->calls);
    if (countdown->calls == 0) return 0;
    // A profile makes a decision wide, even if it does not know the collective.
    const DefaultCosts costs = default_costs_here(tuner);
    const Bytes bytes = key.count * key.element_size;
    const bool wide = tuner.machine().advisor() != nullptr;
    const Seconds spent = std::max(now() - countdown->since, 1e-9),
                  needed = share * seconds(wide ? costs.wide_decision(pattern(key.collective), bytes)
                                                : costs.decision(bytes));
    if (spent >= needed) return 0;
    // At least twice as many calls, and a few too many rather than too few: each question costs.
    constexpr double most = 64, surely = 1.1;
    return long(double(countdown->calls) * std::clamp(surely * needed / spent - 1, 1.0, most));
}

Choice choose(Tuner& tuner, const PlanKey& key) {
    const std::optional<Choice> known = known_choice(tuner, key);
    return known ? *known : by_profile_or_rule(tuner, key);
}

}  // namespace echelon
