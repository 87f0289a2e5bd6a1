// SPDX-License-Identifier: Apache-2.0
#include "front/look.hpp"

#include "front/choose.hpp"
#include "mpi/agree.hpp"

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
    const LookAt look = look_known;
    if (look == nullptr || !wants_a_look(state)) return;
    // Rank 0, which decides, goes by what its process has seen on other communicators.
    const bool several = state.own().placement(true, false).node_count() > 1;
    if (several && as_rank_0_says(state.process().prior_machine().was_looked_at(), state.user()))
        state.machine().set_looked_at();
    else
        look(state);
}

}  // namespace echelon
