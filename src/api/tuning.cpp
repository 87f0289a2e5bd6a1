// SPDX-License-Identifier: Apache-2.0
#include "api/choose.hpp"
#include "api/settle.hpp"
#include "api/told.hpp"

namespace echelon {
namespace {

void add(State& state, Collective collective, ByteRange range, Recipe recipe, bool strict) {
    if (range.from > range.to)
        throw TuningError("byte range " + std::to_string(range.from) + " to " + std::to_string(range.to) +
                          " is empty");
    // Served for some operation, or it never can be.
    (void)resolve(recipe, collective, state.placement(true, true), state.rank(),
                  {.in_order = false, .exact = true});
    state.hints().add({collective, range, recipe, strict});
    state.clear_plans();
    provide(state, collective, recipe);
}

}  // namespace

Tuning::Tuning(MPI_Comm comm) : comm_(comm) {
    told([&] { settle(state_or_throw(comm)); });
}

void Tuning::force(std::string_view collective, std::string_view recipe, std::size_t from, std::size_t to,
                   bool strict) {
    told([&] {
        add(state_or_throw(comm_), collective_or_throw(collective), {from, to}, Recipe::parse(recipe),
            strict);
    });
}

void Tuning::groups(std::string_view collective, int group_count, std::size_t from, std::size_t to) {
    told([&] {
        const Collective which = collective_or_throw(collective);
        add(state_or_throw(comm_), which, {from, to}, leaders_recipe(Groups::count(group_count), which, from),
            true);
    });
}

void Tuning::clear(std::string_view collective) {
    State& state = state_or_throw(comm_);
    state.hints().remove(collective_or_throw(collective));
    state.clear_plans();
}

WouldRun Tuning::would_run(std::string_view collective, std::size_t bytes) const {
    return told([&]() -> WouldRun {
        State& state = state_or_throw(comm_);
        const PlanKey key{.collective = collective_or_throw(collective),
                          .in_order = false,
                          .exact = false,
                          .root = 0,
                          .element_size = 1,
                          .count = bytes};
        Choice choice = choose(state, key);
        std::string refusal = choice.refusal, phases;
        try {
            phases = to_string(resolve(choice.recipe, key.collective, state.placement(true, true),
                                       state.rank(), key.call().operation));
        } catch (const Error& error) {
            refusal = error.what();
            choice = {.recipe = {}, .source = Source::refused};
            phases = std::string(name(key.collective)) + " native";
        }
        return {to_string(choice.recipe), std::string(name(choice.source)), phases, refusal};
    });
}

}  // namespace echelon
