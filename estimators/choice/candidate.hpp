// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "hier/recipe.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace echelon {

/// What an expected time rests on, the best first.
enum class Basis : std::uint8_t { measured, interpolated, corrected, model };
std::string_view name(Basis basis);

/// A recipe in a decision.
struct Candidate {
    Recipe recipe;
    /// The model's word; 0 where it has none (native).
    Seconds predicted = 0;
    /// The papers' closed form, where `explain` asks; 0: there is none.
    Seconds by_formula = 0;
    /// That is of a replay of the whole, not the sum of its phases; or nothing hangs on it.
    bool is_final = false;
    /// Model and measurement together.
    Seconds expected = 0;
    /// How far off that may be, as a share.
    double error = 0;
    Basis basis = Basis::model;
    /// It was measured here, with these segments, at this size or at the next one below or above.
    bool is_known = false;
    /// Why it was not chosen; empty for the chosen one.
    std::string reason = {};

    bool is_native() const { return recipe.kind == Recipe::Kind::native; }
    Seconds at_worst() const { return expected * (1 + error); }
    /// Of native: who is ahead of what was not measured by less may be slower. Of greater leads no more is asked, or few would be left.
    Seconds at_best() const {
        constexpr double most = 0.2;
        return expected * (is_known ? 1 : 1 - std::min(error, most));
    }
};

}  // namespace echelon
