// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "hier/recipe.hpp"

namespace echelon {

/// True if the collective is a reduce followed by a bcast.
constexpr bool has_halves(Collective c) { return c == Collective::allreduce || c == Collective::barrier; }

/// The meaning of an algorithm's name for a collective: one row, or a reduce followed by a bcast.
struct Meaning {
    const Algorithm* first = nullptr;
    const Algorithm* then = nullptr;

    bool in_halves() const { return then != nullptr; }
};

/// The row of that name. If allreduce or barrier has none, the reduce and the bcast of that name, if both
/// exist; if gather or scatter has none, `binomial`. Otherwise empty.
Meaning meaning_of(std::string_view name, Collective collective);

/// True if a row of that name works in a window.
bool is_in_window(std::string_view name);
/// True if a part of the recipe works in a window.
bool goes_through_memory(const Recipe& recipe);

}  // namespace echelon
