// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"
#include "hier/phase.hpp"

#include <vector>

namespace echelon {

/// Recipes that differ in one thing from this one and serve the call: another algorithm or the native
/// collective in one place; the next numbers of groups; another shape of the same parts; half, double or no
/// segments. Measuring them finds improvements that the model misjudges.
std::vector<Recipe> neighbours(const Recipe& recipe, Collective collective, const Placement& placement,
                               Operation operation);

}  // namespace echelon
