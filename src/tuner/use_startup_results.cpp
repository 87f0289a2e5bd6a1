// SPDX-License-Identifier: Apache-2.0
#include "tuner/use_startup_results.hpp"

#include "tuner/choose.hpp"

namespace echelon {

bool use_startup_results(Tuner& tuner, const PlanKey& key) {
    const StartupResults& results = tuner.shared().startup_results();
    const Bytes bytes = key.count * key.element_size;
    const StartupResult* const result = results.find(key.collective, bytes);
    if (result == nullptr || !is_open_to_shared_memory(tuner)) return false;
    const Recipe recipe = shared_memory();
    const bool made = tuner.own().is_provided(recipe, key),
               at_once = result->kind == StartupResult::Kind::seen && (made || results.everywhere);
    if (!at_once && !tuner.settings().learn.empty()) return false;  // other programs may know more
    const bool hoped = result->kind == StartupResult::Kind::hoped,
               lost = result->kind == StartupResult::Kind::lost;
    const double longer = hoped ? double(bytes) / double(result->sizes.from) : 1;
    const Pace pace{longer * result->pace.native, longer * result->pace.shared};
    // The time to enter a recipe and to read the clock: shorter calls show no difference.
    constexpr Seconds shortest = 250e-9;
    if (lost && pace.native < shortest) {
        tuner.decisions().add(key, {{.recipe = {}, .source = Source::built_in}});
        return true;
    }
    const Tournament::Arm native{.expected = pace.native, .seen = at_once};
    const Tournament::Arm shared{.recipe = recipe,
                                 .expected = pace.shared,
                                 .setup = made ? 0 : results.window,
                                 .known = !lost,
                                 .seen = lost};
    if (at_once) {
        Choice choice{.recipe = recipe, .source = Source::trial};
        if (!results.everywhere) choice.evidence = {pace.native, pace.shared};  // measured
        tuner.decisions().add(key, {choice, {shared, native}});
    } else {
        tuner.decisions().add(key, {{.recipe = {}, .source = Source::built_in}, {native, shared}});
    }
    return true;
}

}  // namespace echelon
