// SPDX-License-Identifier: Apache-2.0
#include "tuner/look.hpp"

#include "mpi/agree.hpp"
#include "tuner/choose.hpp"

#include <algorithm>
#include <atomic>

namespace echelon {
namespace {

constinit std::atomic<LookAt> look_known = nullptr;

bool wants_a_look(Tuner& tuner) {
    const Settings& settings = tuner.settings();
    // With longer calls a brief calibration would take too long; it shall cost little beside the calls.
    constexpr Seconds short_call = 0.5e-3, long_enough = 2;
    const auto& findings = tuner.trials().findings();
    if (tuner.trials().age() < long_enough ||
        std::none_of(findings.begin(), findings.end(),
                     [&](const auto& one) { return one.second.seconds <= short_call; }))
        return false;
    return settings.calibrate && !settings.reproducible && !tuner.machine().has_profile() &&
           !tuner.machine().was_looked_at() && tuner.size() >= few_ranks &&
           tuner.forced_recipe().active() == nullptr;
}

}  // namespace

void look_by(LookAt look) { look_known = look; }

void look_where_it_helps(Tuner& tuner) {
    const LookAt look = look_known;
    if (look == nullptr || !wants_a_look(tuner)) return;
    // Rank 0 decides, by the calibrations of its process on any communicator.
    const bool several = tuner.own().placement(true, false).node_count() > 1;
    if (several && as_rank_0_says(tuner.shared().prior_machine().was_looked_at(), tuner.user()))
        tuner.machine().set_looked_at();
    else
        look(tuner);
}

}  // namespace echelon
