// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/recipe.hpp"

namespace echelon {

/// True if no rank waits, directly or through others, for a rank that waits for it, like in a tree. False if
/// all ranks wait for all. It does not cover two exceptions: native phases of a library that differs, and
/// groups of unequal size, in which a root that does not lead its group waits for its leader.
bool is_one_way(const Recipe& recipe, Collective collective);

}  // namespace echelon
