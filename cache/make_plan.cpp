// SPDX-License-Identifier: Apache-2.0
#include "cache/make_plan.hpp"

#include <utility>

namespace echelon {
namespace {

/// Sets the plan's places for counting and tracing, if they were requested.
void observe(Plan& plan, State& state, const PlanKey& key) {
    Reporter& reporter = state.process().reporter();
    if (!reporter.observes()) return;
    const Bytes bytes = key.bytes();
    const std::string recipe = to_string(plan.choice.recipe);
    if (reporter.counts())
        plan.counts = &state.tally().row(key.collective, bytes, recipe, plan.choice.source,
                                         plan.choice.refusal, key.variant.kind == Variant::Kind::trial);
    if (Tracer* const tracer = reporter.tracer())
        plan.kind = tracer->kind({.tracer = tracer,
                                  .collective = key.collective,
                                  .recipe = recipe,
                                  .source = plan.choice.source,
                                  .bytes = bytes,
                                  .ranks = state.size()});
}

}  // namespace

Plan& make_plan(State& state, const PlanKey& key, Choice choice, bool is_measured) {
    PrivateCommunicator& own = state.own();
    state.plans().prepare_for_one();
    const Placement& locations = own.placement(choice.recipe);
    Plan plan{.choice = std::move(choice), .phase = {}};
    plan.phase = resolve(plan.choice.recipe, key.collective, locations, state.rank(), key.call().operation);
    if (!plan.native()) {
        const bool tries = is_of_this_run(plan.choice.source) && !is_measured;
        own.provide(plan.choice.recipe, plan.phase,
                    tries ? PrivateCommunicator::Purpose::trial : PrivateCommunicator::Purpose::use);
        prepare(plan, key.call(), own.team(), own.memory(), own.window_shape());
        if (key.lengths == BlockLengths::own) prepare_numbers(plan, key.call(), own.team(), own.memory());
    }
    if (!is_measured) observe(plan, state, key);
    return state.plans().put(key, std::move(plan));
}

void fit(Plan& plan, State& state, const PlanKey& key, const GivenBlocks& given) {
    if (plan.given == given) return;
    PrivateCommunicator& own = state.own();
    Call call = key.call();
    call.given = given;
    if (plan.ended != nullptr)
        prepare_started(plan, call, own.placement(plan.choice.recipe), state.rank());
    else
        prepare(plan, call, own.team(), own.memory(), own.window_shape());
}

Plan& make_started_plan(State& state, const PlanKey& key, Choice choice) {
    PrivateCommunicator& own = state.own();
    state.plans().prepare_for_one();
    Plan plan{.choice = std::move(choice), .phase = {.collective = key.collective}};
    const Recipe& recipe = plan.choice.recipe;
    if (recipe.kind != Recipe::Kind::native) {
        if (!own.knows_placement(needs_placement(recipe), needs_topology(recipe)))
            throw Error(to_string(recipe) + ": the places of the ranks are unknown before a blocking call");
        const Placement& locations = own.placement(recipe);
        if (needs_of(recipe, key.collective, locations).native)
            throw Error(to_string(recipe) + ": nonblocking calls have no native phases");
        plan.phase = resolve(recipe, key.collective, locations, state.rank(), key.call().operation);
        prepare_started(plan, key.call(), locations, state.rank());
        if (key.lengths == BlockLengths::own)
            prepare_started_numbers(plan, key.call(), locations, state.rank());
    }
    observe(plan, state, key);
    return state.plans().put(key, std::move(plan));
}

}  // namespace echelon
