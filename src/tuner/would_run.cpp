// SPDX-License-Identifier: Apache-2.0
#include "tuner/would_run.hpp"

#include "tuner/decide.hpp"

namespace echelon {

InWords would_run(Tuner& tuner, Collective collective, Bytes bytes) {
    const PlanKey key{.collective = collective,
                      .in_order = false,
                      // A sum of floating-point numbers rounds, unless it is one of integers.
                      .exact = !reduces(collective) || tuner.settings().reproducible == Reproducible::any,
                      .root = 0,
                      .element_size = 1,
                      .count = bytes};
    Choice choice = choose(tuner, key);
    std::string refusal = choice.refusal, phases;
    try {
        phases = to_string(resolve(choice.recipe, key.collective, tuner.own().placement(true, true),
                                   tuner.rank(), key.call().operation));
    } catch (const Error& error) {
        refusal = error.what();
        choice = {.recipe = {}, .source = Source::refused};
        phases = std::string(name(key.collective)) + " native";
    }
    return {to_string(choice.recipe), std::string(name(choice.source)), phases, refusal};
}

}  // namespace echelon
