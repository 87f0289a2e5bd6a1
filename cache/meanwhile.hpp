// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_table.hpp"
#include "hier/recipe.hpp"

#include <cstdint>

namespace echelon {

/// A recipe that calls run instead of what is chosen, to be measured. Plans of different numbers live beside each other.
struct Override {
    std::uint16_t number = 0;
    Recipe recipe = {};
};

/// What calls on a communicator do while a collective function of Echelon's runs, or recipes are measured. The same on all ranks.
class Meanwhile {
public:
    /// Calls are looked at again where it changes.
    explicit Meanwhile(PlanTable& plans) : plans_(plans) {}

    /// All that they do is allowed to wait for the others.
    void set_together(bool on) { together_ = on; }
    bool together() const { return together_ || instead_ != nullptr; }

    /// nullptr: what is chosen. It must outlive that.
    void run_instead(const Override* instead) {
        instead_ = instead;
        plans_.look_again();
    }
    const Override* instead() const { return instead_; }

private:
    PlanTable& plans_;
    bool together_ = false;
    const Override* instead_ = nullptr;
};

}  // namespace echelon
