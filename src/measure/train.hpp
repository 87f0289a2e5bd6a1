// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "measure/trainer.hpp"

namespace echelon {

/// Task of a training.
struct Training {
    std::vector<Collective> collectives = {Collective::allreduce, Collective::reduce, Collective::bcast};
    std::vector<Bytes> sizes = {};
    /// Number of recipes that the model proposes at each size. Further recipes are measured if model and
    /// measurement together expect them to beat the best measured one.
    std::size_t shortlist = 8;
    /// True: sizes with samples of these ranks are not measured again, nor is the machine.
    bool go_on = false;
    /// True: measures only native, the shortlist and the seeds, without neighbours of the best or second
    /// measurements.
    bool brief = false;
    /// Time limit; 0 for none.
    double seconds = 60;
    /// True: calls after which a rank may leave early are measured in rows, too, and chosen by the mean.
    bool rows = true;
    /// Called before the first size, after the measurement of messages and work.
    std::function<void()> machine_done = {};
    /// Called after each size, on all ranks that measured it.
    std::function<void(Collective, Bytes, int ranks, std::size_t measured)> done = {};
};

/// Measures native and promising recipes at these sizes, and adds them to the profile: samples, corrections,
/// the model's residual. The model proposes recipes and measurements correct it, until it names a measured
/// recipe. Precomputed decisions of these collectives are dropped. Collective; the same profile on all ranks,
/// before and after.
void train(Trainer& trainer, Profile& profile, const Training& training);

}  // namespace echelon
