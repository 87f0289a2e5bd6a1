// SPDX-License-Identifier: Apache-2.0
#include "tuner/decide.hpp"

#include "estimators/simulator/time_limit.hpp"
#include "mpi/decision_time.hpp"
#include "tuner/requests.hpp"

#include <optional>
#include <utility>

namespace echelon {

namespace {

Choice by_profile_or_rule(Tuner& tuner, const PlanKey& key) {
    const Bytes bytes = key.bytes();
    Advisor* const advisor = tuner.machine().advisor(key);
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

/// Expected time of a call over the calls of a typical program, with the cost of its communicators.
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
    const double error = arms.front().recipe.kind == Recipe::Kind::native ? doubt(tuner, key) : 1;
    if (best == nullptr || best->recipe.kind == Recipe::Kind::native ||
        in_all(*best) * error >= in_all(arms.front()))
        return std::nullopt;
    return best->recipe;
}

}  // namespace

std::optional<CallDecision> startup_decision(Tuner& tuner, const PlanKey& key) {
    const StartupResults& results = tuner.shared().startup_results();
    const Bytes bytes = key.bytes();
    const StartupResult* const result = results.find(key.collective, bytes);
    if (result == nullptr || key.own_lengths() || !is_open_to_shared_memory(tuner)) return std::nullopt;
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

CallDecision decide(Tuner& tuner, const PlanKey& key, bool trials) {
    if (auto found = startup_decision(tuner, key)) return *found;
    const Choice unlearned = by_profile_or_rule(tuner, key);
    if (unlearned.source == Source::profile_rule) return {unlearned};
    Choice choice = unlearned;
    const std::vector<LearnedDecision> known = findings_for(tuner, key);
    // Inside a node calls are short, and a recipe must also pay for its windows.
    if (!known.empty() && known.front().sizes.contains(key.bytes()) && !tuner.own().may_share_memory())
        choice = {.recipe = known.front().recipe,
                  .source = Source::profile_decision,
                  .refusal = {},
                  .evidence = {known.front().native_seconds, known.front().seconds}};
    const bool tries = may_be_tried(tuner, key), models = choice.source == Source::model,
               makes = models && choice.recipe.has_native_parts(),
               // Calls that do not synchronise would await the communicators of native phases.
        waits = makes && !key.synchronises(tuner.size()) && !tuner.own().is_provided(choice.recipe, key);
    // A choice that is native, or has native phases, may give way to an arm.
    const bool doubts = waits || (tries && models && (makes || choice.recipe.kind == Recipe::Kind::native)),
               lists = tries && trials;
    CallDecision made{.choice = choice};
    if (lists || doubts) {
        made.slower = slowdown(tuner, key);
        made.arms = arms_of(tuner, key, choice, unlearned, known, made.slower);
    }
    std::optional<Recipe> other;
    if (waits) {
        const Trial::Arm* const best = fastest_without_native_parts(made.arms);
        other = best == nullptr ? Recipe() : best->recipe;
    } else if (doubts) {
        other = expected_to_gain(tuner, key, made.arms);
    }
    if (other) {
        made.choice = {.recipe = std::move(*other), .source = Source::model};
        if (lists) made.arms = arms_of(tuner, key, made.choice, unlearned, known, made.slower);
    }
    if (!lists) made.arms = {};
    return made;
}

std::optional<CallDecision> decide_within(Tuner& tuner, const PlanKey& key, Seconds most, bool trials) {
    const DecisionTimer timer(tuner.shared().allowance());
    const TimeLimit limit(clock_of_thoughts, most);
    try {
        return decide(tuner, key, trials);
    } catch (const OutOfTime&) {
        return std::nullopt;
    } catch (const std::exception& error) {
        tuner.process().log().once(
            true, std::string(name(key.collective)) + ": nothing was decided: " + error.what());
    }
    return CallDecision{{.recipe = {}, .source = Source::refused}};
}

Choice choose(Tuner& tuner, const PlanKey& key) {
    if (const std::optional<Choice> known = known_choice(tuner, key)) return *known;
    const std::optional<CallDecision> seen = startup_decision(tuner, key);
    return seen ? seen->choice : by_profile_or_rule(tuner, key);
}

}  // namespace echelon
