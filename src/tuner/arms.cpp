// SPDX-License-Identifier: Apache-2.0
#include "tuner/arms.hpp"

#include "estimators/choice/outside_model.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "flat/catalog.hpp"
#include "hier/lengths.hpp"
#include "hier/one_way.hpp"
#include "mpi/quirks.hpp"
#include "tuner/requests.hpp"

#include <algorithm>
#include <cmath>
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

/// The algorithm of the libraries for calls whose ranks know only their own blocks: each block goes straight
/// to its place.
Recipe straight() { return flat("linear"); }

/// True if a trial of these calls may compare the recipe with native.
bool may_compare(const Recipe& recipe, const PlanKey& key) {
    return !key.own_lengths() || recipe.kind == Recipe::Kind::native ||
           (serves_own_blocks(recipe, key.collective) && recipe != straight());
}

/// A trial must not add waiting. With eager sends a rank leaves a short rooted call before other ranks enter
/// it; only one-way recipes keep this.
bool adds_no_waiting(const Recipe& recipe, const PlanKey& key) {
    constexpr Bytes sent_at_once = 8 << 10;
    return pattern(key.collective) == Pattern::to_all || (key.bytes() > sent_at_once && !key.own_lengths()) ||
           is_one_way(recipe, key.collective);
}

/// Expected time of a call in a program; 0 if unknown. A recipe that forwards blocks whose lengths only some
/// ranks know begins with its program of numbers.
Seconds in_a_program(Decider& decider, const Recipe& recipe, const PlanKey& key) {
    const auto time = [&](const Recipe& one, Collective collective, Bytes bytes) {
        return decider.in_a_program(one, collective, bytes, key.call().operation);
    };
    const Collective collective = key.collective;
    if (!key.own_lengths()) return time(recipe, collective, key.bytes());
    if (recipe.kind == Recipe::Kind::native) return time(straight(), collective, key.bytes());
    const Seconds blocks = time(recipe, collective, key.bytes());
    if (blocks == 0 || !forwards_blocks(recipe, collective)) return blocks;
    return blocks +
           (collective == Collective::alltoall
                ? time(flat("recursive_doubling"), Collective::allreduce, sizeof(LongestBlock))
                : time(recipe, collective, std::size_t(decider.placement().size()) * sizeof(BlockLength)));
}

/// The best few recipes that may be tried.
std::vector<Recipe> best_to_try(Decider& decider, const PlanKey& key) {
    const Bytes bytes = key.bytes();
    const Operation operation = key.call().operation;
    std::vector<Recipe> best = decider.chosen(key.collective, bytes, operation, Policy::model).rivals;
    const bool all_may =
        std::erase_if(best, [&](const Recipe& one) { return !adds_no_waiting(one, key); }) == 0;
    if (all_may && pattern(key.collective) == Pattern::to_all && !key.own_lengths()) return best;
    // Pipelines are slow alone and fast in a row. The number of rows that are priced is limited: the usual
    // algorithm, which stands for native, comes first, and then the fastest alone.
    std::vector<std::pair<Seconds, Recipe>> timed;
    const auto add = [&](const Recipe& recipe) {
        if (recipe.kind == Recipe::Kind::native || !adds_no_waiting(recipe, key) || !may_compare(recipe, key))
            return;
        if (std::ranges::any_of(timed, [&](const auto& one) { return one.second == recipe; })) return;
        const Seconds time = decider.expected(recipe, key.collective, bytes, operation);
        if (time > 0) timed.emplace_back(time, recipe);
    };
    for (const Candidate& one :
         decider.decide(key.collective, bytes, operation, Policy::model, Decider::Reasons::left_out).ranked)
        add(one.recipe);
    const Recipe usual = reproducible_rule(key.collective, bytes);
    add(usual);
    for (const Algorithm& row : catalog(key.collective))
        if (!row.in_window) add(decider.flat(row, bytes));
    std::ranges::stable_sort(timed, {},
                             [&](const auto& one) { return std::pair(one.second != usual, one.first); });
    for (auto& [time, recipe] : timed) time = in_a_program(decider, recipe, key);
    std::ranges::stable_sort(timed, {}, [](const auto& one) { return one.first; });
    best.clear();
    // Recipes of one price move the same messages between nodes: the first stands for all.
    Seconds last = 0;
    for (const auto& [time, recipe] : timed)
        if (best.size() < rules.proposals && time > rules.alike * last) {
            best.push_back(recipe);
            last = time;
        }
    return best;
}

/// in_a_program(). Without a decider native takes as long as by DefaultCosts.
Seconds expected(const Recipe& recipe, Tuner& tuner, const PlanKey& key, Decider* decider) {
    const Seconds found = decider == nullptr ? 0 : in_a_program(*decider, recipe, key);
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

}  // namespace

double slowdown(Tuner& tuner, const PlanKey& key) {
    Advisor* const advisor = tuner.machine().advisor(key);
    const std::optional<Hockney>& link = tuner.process().world().seen_link();
    if (tuner.own().may_share_memory()) return 1;
    if (advisor == nullptr) return link ? link->alpha / usual_link.alpha : 1;
    constexpr Bytes few = 8;
    const auto call =
        advisor->decider().predicted(reproducible_rule(Collective::allreduce, few), Collective::allreduce,
                                     few, {.in_order = false, .exact = true});
    return call ? *call / seconds(default_costs_here(tuner).call(few)) : 1;
}

std::vector<LearnedDecision> findings_for(Tuner& tuner, const PlanKey& key) {
    if (!tuner.own().knows_placement(true, false) || key.own_lengths()) return {};
    auto found =
        tuner.shared().learned().about(key.collective, tuner.size(), tuner.machine().layout(), key.bytes());
    std::erase_if(found, [&](const LearnedDecision& one) {
        return !can_serve(tuner, one.recipe, key) || !adds_no_waiting(one.recipe, key);
    });
    return found;
}

std::vector<Trial::Arm> arms_of(Tuner& tuner, const PlanKey& key, const Choice& choice,
                                const Choice& unlearned, const std::vector<LearnedDecision>& findings,
                                double slower) {
    Advisor* const advisor = tuner.machine().advisor(key);
    const std::shared_ptr<Decider> decider =
        advisor != nullptr ? advisor->shared_decider() : prior_decider(tuner);
    const DefaultCosts costs = default_costs_here(tuner);
    std::vector<Trial::Arm> arms;
    const auto add = [&](const Recipe& recipe) {
        const auto is_it = [&](const Trial::Arm& one) { return one.recipe == recipe; };
        if (arms.size() == rules.most_arms || std::ranges::any_of(arms, is_it) || !may_compare(recipe, key))
            return;
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
    for (const LearnedDecision& one : findings) {
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
    else if (advisor == nullptr && decider != nullptr && !(key.own_lengths() && key.bytes() == 0))
        best = best_to_try(*decider, key);
    for (const Recipe& recipe : best)
        if (adds_no_waiting(recipe, key)) add(recipe);
    if (tries_shared_memory(tuner)) add(shared_memory());
    return arms;
}

double doubt(Tuner& tuner, const PlanKey& key) {
    const Advisor* const advisor = tuner.machine().advisor(key);
    if (advisor == nullptr || !advisor->profile().parameters) return rules.doubt;
    constexpr double four_of_five = 1.28;  // standard deviations
    const double deviation = std::log1p(advisor->profile().parameters->residual) / four_of_five;
    return std::exp(deviation * deviation / 2);
}

}  // namespace echelon
