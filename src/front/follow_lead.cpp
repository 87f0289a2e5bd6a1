// SPDX-License-Identifier: Apache-2.0
#include "front/follow_lead.hpp"

#include "front/choose.hpp"

namespace echelon {

bool follow_lead(State& state, const PlanKey& key) {
    const Leads& leads = state.process().leads();
    const Bytes bytes = key.count * key.element_size;
    const Lead* const lead = leads.find(key.collective, bytes);
    if (lead == nullptr || !is_open_to_shared_memory(state)) return false;
    const Recipe recipe = shared_memory();
    const bool made = state.own().is_provided(recipe, key),
               at_once = lead->kind == Lead::Kind::seen && (made || leads.everywhere);
    if (!at_once && !state.process().settings().learn.empty()) return false;  // other programs may know more
    const bool hoped = lead->kind == Lead::Kind::hoped, lost = lead->kind == Lead::Kind::lost;
    const double longer = hoped ? double(bytes) / double(lead->sizes.from) : 1;
    const Pace pace{longer * lead->pace.native, longer * lead->pace.shared};
    // As short as what is not native takes before it begins, and what reading the clock takes: single calls show nothing of who is faster.
    constexpr Seconds shortest = 250e-9;
    if (lost && pace.native < shortest) {
        state.told().tell(key, {{.recipe = {}, .source = Source::built_in}});
        return true;
    }
    const Tournament::Arm native{.expected = pace.native, .seen = at_once};
    const Tournament::Arm shared{.recipe = recipe,
                                 .expected = pace.shared,
                                 .setup = made ? 0 : leads.window,
                                 .known = !lost,
                                 .seen = lost};
    if (at_once) {
        Choice choice{.recipe = recipe, .source = Source::trial};
        if (!leads.everywhere) choice.evidence = {pace.native, pace.shared};  // somebody has measured it
        state.told().tell(key, {choice, {shared, native}});
    } else {
        state.told().tell(key, {{.recipe = {}, .source = Source::built_in}, {native, shared}});
    }
    return true;
}

}  // namespace echelon
