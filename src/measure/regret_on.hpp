// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/regret.hpp"
#include "measure/trainer.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// The calls whose automatic choice is evaluated, and how.
struct RegretTask {
    std::vector<Collective> collectives;
    std::vector<Bytes> sizes;
    /// Recipes measured beside the proposals of models and policies.
    std::function<std::vector<Recipe>(Collective, const Placement&)> recipes;
    int repetitions = 1;
    Trainer::Automatic automatic = Trainer::Automatic::tried;
    /// Called before the first cell, and after each cell.
    std::function<void(const Placement&)> begun;
    std::function<void(const RegretCell&)> done;
};

/// Evaluates the recipes that a profile chooses for calls on the trainer's communicator, against the best of
/// all measured recipes. Collective; the same cells on all ranks.
std::vector<RegretCell> regret_on(Trainer& trainer, const Profile& profile, const RegretTask& task);

}  // namespace echelon
