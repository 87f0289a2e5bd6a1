// SPDX-License-Identifier: Apache-2.0
#include "front/look.hpp"

#include "front/choose.hpp"

#include <algorithm>
#include <atomic>

namespace echelon {
namespace {

constinit std::atomic<LookAt> look_known = nullptr;

bool wants_a_look(State& state) {
    const Settings& settings = state.process().settings();
    // Where a call takes longer, a look would take longer than it may; and it is to be little beside the calls.
    constexpr Seconds short_call = 0.5e-3, long_enough = 2;
    const auto& findings = state.contests().findings();
    if (state.contests().age() < long_enough ||
        std::none_of(findings.begin(), findings.end(),
                     [&](const auto& one) { return one.second.seconds <= short_call; }))
        return false;
    return settings.calibrate && !settings.reproducible && !state.machine().has_profile() &&
           !state.machine().was_looked_at() && state.size() >= few_ranks &&
           state.meanwhile().instead() == nullptr;
}

}  // namespace

void look_by(LookAt look) { look_known = look; }

void look_where_it_helps(State& state) {
    if (const LookAt look = look_known; look != nullptr && wants_a_look(state)) look(state);
}

}  // namespace echelon
