// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"
#include "hier/phase.hpp"

#include <vector>

namespace echelon {

/// Recipes that differ in one thing from this one, and serve such calls: another algorithm, or the native
/// collective, in one place; other groups next to these; another shape of the same parts; half and double
/// segments. Where a model is blind, a look around what was measured finds the way.
std::vector<Recipe> neighbours(const Recipe& recipe, Collective collective, const Placement& placement,
                               Operation operation);

}  // namespace echelon
