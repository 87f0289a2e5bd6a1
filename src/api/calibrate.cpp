// SPDX-License-Identifier: Apache-2.0
#include "api/calibrate.hpp"

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
        std::vector<int> ranks(std::size_t(placement.node_count()));
        for (const int node : placement.nodes()) ++ranks[std::size_t(node)];
        carrier.fingerprint.ranks_per_node = *std::max_element(ranks.begin(), ranks.end());
        text = to_json(carrier);
    }
    return Profile::parse(broadcast(text, state.user())).fingerprint;
}

}  // namespace

void calibrate(Trainer& trainer, Profile& profile, Lessons lessons) {
    State& state = trainer.state();
    const double began = now();
    const Placement placement = state.placement(true, true);
    profile.fingerprint = common_fingerprint(state, placement);
    profile.decisions.clear();
    const std::string layout = layout_of(placement);
    std::erase_if(profile.samples,
                  [&](const Sample& one) { return one.p == placement.size() && one.layout == layout; });
    profile.parameters =
        fit_machine(measure_machine(state.user(), placement, trainer.start(),
                                    lessons.seconds > 0 ? machine_share * lessons.seconds : unlimited));
    constexpr double least = 1e-3;  // 0 would be no limit
    if (lessons.seconds > 0) lessons.seconds = std::max(least, lessons.seconds - (now() - began));
    train(trainer, profile, lessons);
}

}  // namespace echelon
