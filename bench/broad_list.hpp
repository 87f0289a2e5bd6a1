// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "groups/placement.hpp"
#include "hier/recipe.hpp"

#include <vector>

namespace echelon::bench {

/// Recipes worth comparing for a collective on this placement: every flat algorithm, and every shape with
/// pairs of algorithms that suit each other, on partitions into few, into sqrt(p) and into many groups and on
/// the machine's own. Each appears once: no partition has two names. Native is not included.
std::vector<Recipe> broad_list(Collective collective, const Placement& placement);

/// The partitions of the broad list: neither one group nor groups of one rank.
std::vector<Groups> broad_groups(const Placement& placement);

}  // namespace echelon::bench
