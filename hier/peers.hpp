// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recorded_team.hpp"

#include <vector>

namespace echelon {

/// The ranks with which `rank` exchanges messages in such calls, in order: whose peer it is, too. Error: the recipe cannot serve the call.
std::vector<int> peers(const Recipe& recipe, const Call& call, const Placement& placement, int rank);

}  // namespace echelon
