// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "measure/trainer.hpp"

namespace echelon {

/// What is trained.
struct Training {
    std::vector<Collective> collectives = {Collective::allreduce, Collective::reduce, Collective::bcast};
    std::vector<Bytes> sizes = {};
    /// Recipes that the model proposes at each size. Beyond them, whatever model and measurement together
    /// expect to be better than the best that was measured.
    std::size_t shortlist = 8;
    /// Sizes of which the profile has samples of these ranks are not measured again, nor is the machine.
    bool go_on = false;
    /// The native collective and the shortlist alone: no seeds, no look around the best, nothing twice.
    bool brief = false;
    /// 0: as long as it takes.
    double seconds = 60;
    /// Before the first size, when messages and work are measured.
    std::function<void()> machine_done = {};
    /// Hears of every size that is done, on all ranks of that size.
    std::function<void(Collective, Bytes, int ranks, std::size_t measured)> done = {};
};

/// Measures at these sizes what may be best there, and the native collective, and adds it to the profile:
/// samples, corrections, the model's residual. The model proposes, measurement disposes: what was measured
/// corrects the model, until it names a recipe that was measured. What was foreseen of these collectives is forgotten. Collective; the same
/// profile on all ranks, before and after.
void train(Trainer& trainer, Profile& profile, const Training& training);

}  // namespace echelon
