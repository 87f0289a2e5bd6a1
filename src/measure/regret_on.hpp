// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/regret.hpp"
#include "measure/trainer.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// What is asked of the automatic choice, and how.
struct RegretTask {
    std::vector<Collective> collectives;
    std::vector<Bytes> sizes;
    /// What is measured beside what models and policies propose.
    std::function<std::vector<Recipe>(Collective, const Placement&)> recipes;
    int repetitions = 1;
    Trainer::Automatic automatic = Trainer::Automatic::tried;
    /// Hears of the ranks before the first cell, and of each cell.
    std::function<void(const Placement&)> begun;
    std::function<void(const RegretCell&)> done;
};

/// Which recipe the profile makes calls on the trainer's communicator run, and what that costs against the best of
/// all recipes that were measured. Collective; the same cells on all ranks.
std::vector<RegretCell> regret_on(Trainer& trainer, const Profile& profile, const RegretTask& task);

}  // namespace echelon
