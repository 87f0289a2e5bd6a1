// SPDX-License-Identifier: Apache-2.0
#include "front/would_run.hpp"

#include "front/decide.hpp"

namespace echelon {

InWords would_run(State& state, Collective collective, Bytes bytes) {
    const PlanKey key{.collective = collective,
                      .in_order = false,
                      .exact = false,
                      .root = 0,
                      .element_size = 1,
                      .count = bytes};
    Choice choice = choose(state, key);
    std::string refusal = choice.refusal, phases;
    try {
        phases = to_string(resolve(choice.recipe, key.collective, state.own().placement(true, true),
                                   state.rank(), key.call().operation));
    } catch (const Error& error) {
        refusal = error.what();
        choice = {.recipe = {}, .source = Source::refused};
        phases = std::string(name(key.collective)) + " native";
    }
    return {to_string(choice.recipe), std::string(name(choice.source)), phases, refusal};
}

}  // namespace echelon
