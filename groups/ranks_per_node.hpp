// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

namespace echelon {

/// Number of ranks of the busiest node.
int ranks_per_node(const Placement& placement);

}  // namespace echelon
