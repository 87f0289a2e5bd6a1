// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_table.hpp"
#include "hier/recipe.hpp"

#include <cstdint>

namespace echelon {

/// A recipe that calls run in place of the choice while it is measured. Plans of different numbers exist side
/// by side.
struct Override {
    std::uint16_t number = 0;
    Recipe recipe = {};
};

/// The forced recipe of a communicator, if recipes are measured on it, and if all its calls may synchronise.
/// Equal on all ranks.
class ForcedRecipe {
public:
    /// `plans` must outlive this; a change makes all calls look up their plans again.
    explicit ForcedRecipe(PlanTable& plans) : plans_(plans) {}

    /// True while a collective function of Echelon runs: every call may wait for the other ranks.
    void set_together(bool on) { together_ = on; }
    bool together() const { return together_ || active_ != nullptr; }

    /// Forces a recipe, which must outlive its use; nullptr: no more.
    void force(const Override* recipe) {
        active_ = recipe;
        plans_.look_again();
    }
    const Override* active() const { return active_; }

private:
    PlanTable& plans_;
    bool together_ = false;
    const Override* active_ = nullptr;
};

}  // namespace echelon
