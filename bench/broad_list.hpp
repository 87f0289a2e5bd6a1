// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "groups/placement.hpp"
#include "hier/recipe.hpp"

#include <vector>

namespace echelon::bench {

/// Recipes worth comparing for a collective, on ranks that sit like this: every flat algorithm,
/// and every shape with pairs of algorithms that go well together, on divisions into few, into sqrt(p) and
/// into many groups and on those of the machine. Each once: no division appears under two names. Native is
/// not among them.
std::vector<Recipe> broad_list(Collective collective, const Placement& placement);

/// The divisions of the broad list: neither one group nor groups of one rank.
std::vector<Groups> broad_groups(const Placement& placement);

}  // namespace echelon::bench
