// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "hier/recipe.hpp"

namespace echelon {

/// Whether the collective is a reduce and then a bcast.
constexpr bool has_halves(Collective c) { return c == Collective::allreduce || c == Collective::barrier; }

/// What an algorithm's name means for a collective: a row, or a reduce and then a bcast.
struct Meaning {
    const Algorithm* first = nullptr;
    const Algorithm* then = nullptr;

    bool in_halves() const { return then != nullptr; }
};

/// The row of that name. Where allreduce or barrier has none, the reduce and then the bcast of that name,
/// where there are both; where gather or scatter has none, `binomial`. Else nothing.
Meaning meaning_of(std::string_view name, Collective collective);

/// Whether a row of that name works in a window, where there is one.
bool is_in_window(std::string_view name);
/// Some part of it does.
bool goes_through_memory(const Recipe& recipe);

}  // namespace echelon
