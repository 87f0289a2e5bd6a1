// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "hier/recipe.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace echelon {

/// Ground of an expected time, the most reliable first. `advised`: by a model from outside (OutsideModel).
enum class Basis : std::uint8_t { advised, measured, interpolated, corrected, model };
std::string_view name(Basis basis);

/// A recipe in a decision.
struct Candidate {
    Recipe recipe;
    /// Time by the model; 0 if it has none (native).
    Seconds predicted = 0;
    /// Time by the papers' closed form, filled in for `explain`; 0 if there is none.
    Seconds by_formula = 0;
    /// True if `predicted` comes from a replay of the whole recipe, or if a replay would not change
    /// `expected`.
    bool is_final = false;
    /// Time by model and measurement together.
    Seconds expected = 0;
    /// Relative error of `expected`.
    double error = 0;
    Basis basis = Basis::model;
    /// Factor on `expected`: the mean, in the logarithm, of a call alone and of one in a row of calls, of all
    /// concurrent communicators if these are known. 1 without concurrent communicators if rows of calls were
    /// not measured, or ranks wait for each other in a call.
    double pace = 1;
    /// True if measured here, with these segments, at this size or at the next one below or above.
    bool is_known = false;
    /// Why it was not chosen; empty for the chosen one.
    std::string reason = {};

    bool is_native() const { return recipe.kind == Recipe::Kind::native; }
    Seconds in_a_program() const { return expected * pace; }
    Seconds at_worst() const { return in_a_program() * (1 + error); }
    /// Upper bound of the time of a call alone.
    Seconds alone_at_worst() const { return expected * (1 + error); }
    /// Lower bound of native's time. A candidate whose lead over unmeasured native is smaller than native's
    /// error may be slower. The bound is limited: few candidates have a greater lead.
    Seconds at_best() const { return in_a_program() * certain_part(); }
    Seconds alone_at_best() const { return expected * certain_part(); }

private:
    double certain_part() const {
        constexpr double most = 0.2;
        return is_known ? 1 : 1 - std::min(error, most);
    }
};

}  // namespace echelon
