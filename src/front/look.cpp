// SPDX-License-Identifier: Apache-2.0
#include "front/look.hpp"

#include "estimators/fit/fit_machine.hpp"
#include "front/choose.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/measure_machine.hpp"

#include <algorithm>

namespace echelon {

bool wants_a_look(State& state) {
    const Settings& settings = state.process().settings();
    // Where a call takes longer, a look would take longer than it may; and it is to be little beside the calls.
    constexpr Seconds short_call = 0.5e-3, long_enough = 2;
    const auto& findings = state.contests().findings();
    if (state.contests().age() < long_enough ||
        std::none_of(findings.begin(), findings.end(),
                     [&](const auto& one) { return one.second.seconds <= short_call; }))
        return false;
    return settings.calibrate && !settings.reproducible && state.profile() == nullptr &&
           !state.was_looked_at() && state.size() >= few_ranks && state.overridden_by() == nullptr;
}

void look_at_machine(State& state) {
    constexpr double longest = 0.03;  // the last question may take longer than its share
    state.set_looked_at();
    const MPI_Comm comm = state.own().comm();
    if (comm == MPI_COMM_NULL) return;
    CommonStart start(comm, {.notice = 50e-6, .longest_notice = 2e-3, .attempts = 2});
    if (start.crowded()) return;
    const Placement placement = state.own().placement(true, true);
    auto profile = std::make_shared<Profile>();
    bool enough = true;
    try {
        profile->parameters = fit_machine(measure_machine(comm, placement, start, longest, Look::brief));
    } catch (const MpiError&) {
        throw;
    } catch (const Error&) {
        enough = false;  // too little was found out in time
    }
    // As rank 0 sees it, which goes by it.
    if (broadcast(enough ? "enough" : "", state.user()).empty()) return;
    state.set_profile(std::move(profile), true);
}

}  // namespace echelon
