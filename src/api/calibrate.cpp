// SPDX-License-Identifier: Apache-2.0
#include "api/calibrate.hpp"

#include "api/choose.hpp"
#include "core/error.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/measure_machine.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// Of the time goes to messages and work; the rest to collectives.
constexpr double machine_share = 0.2;

/// Rank 0's.
Fingerprint common_fingerprint(State& state, const Placement& placement) {
    Profile carrier;
    std::string text;
    if (state.rank() == 0) {
        carrier.fingerprint = fingerprint_here();
        carrier.fingerprint.ranks_per_node = ranks_per_node(placement);
        text = to_json(carrier);
    }
    return Profile::parse(broadcast(text, state.user())).fingerprint;
}

}  // namespace

void calibrate(Trainer& trainer, Profile& profile, Lessons lessons) {
    State& state = trainer.state();
    const double began = now();
    const Placement placement = state.own().placement(true, true);
    profile.fingerprint = common_fingerprint(state, placement);
    profile.decisions.clear();
    const std::string layout = layout_of(placement);
    if (!lessons.go_on)
        std::erase_if(profile.samples,
                      [&](const Sample& one) { return one.p == placement.size() && one.layout == layout; });
    if (!lessons.go_on || !profile.parameters) {
        const MPI_Comm own = state.own().comm();  // messages on the user's could meet the user's
        profile.parameters =
            fit_machine(measure_machine(own != MPI_COMM_NULL ? own : state.user(), placement, trainer.start(),
                                        lessons.seconds > 0 ? machine_share * lessons.seconds : unlimited));
    }
    constexpr double least = 1e-3;  // 0 would be no limit
    if (lessons.seconds > 0) lessons.seconds = std::max(least, lessons.seconds - (now() - began));
    train(trainer, profile, lessons);
}

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
           !state.was_looked_at() && state.size() >= few_ranks && state.rehearsal() == nullptr;
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
