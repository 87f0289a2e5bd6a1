// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/recipe.hpp"

namespace echelon {

/// Whether by that recipe nobody waits, itself or through others, for a rank that waits for it, as in a tree: not where all
/// wait for all. Of native parts the library may say otherwise; among groups that are not equally large a root that does not lead
/// its own waits for its leader.
bool is_one_way(const Recipe& recipe, Collective collective);

}  // namespace echelon
