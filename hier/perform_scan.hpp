// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs `leaders` for scan and exscan, with the arguments of perform() (hier/perform.hpp). Requires: groups
/// of consecutive ranks.
void perform_scan(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
