// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/partition.hpp"
#include "groups/placement.hpp"

/// The ways to divide ranks that recipes know by name. The first three make runs of consecutive ranks. The
/// others follow the placement and, except for sites and switches, never cross a node.
namespace echelon {

/// The G nearest to the square root of p, where the two levels of a hierarchical flat-tree, chain
/// or ring cost least (Hasanov & Lastovetsky, 2016). There is never a tie, and G need not divide p:
/// 12 ranks make 3 groups (their root is 3.46), 8 ranks make groups of 3, 3 and 2.
/// Requires: p >= 1.
int sqrt_group_count(int p);

Partition by_sqrt(int p);  ///< `by_count(p, sqrt_group_count(p))`.

/// G groups whose sizes differ by at most one, the larger first. Requires: 1 <= G <= p.
Partition by_count(int p, int group_count);

/// Groups of `group_size` ranks; the last may be smaller. Requires: both at least 1.
Partition by_size(int p, int group_size);

Partition by_site(const Placement& placement);
Partition by_switch(const Placement& placement);
Partition by_node(const Placement& placement);
Partition by_package(const Placement& placement);
Partition by_numa(const Placement& placement);
Partition by_l3(const Placement& placement);

}  // namespace echelon
