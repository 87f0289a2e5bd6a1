// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs a shape whose ranks all work on one vector: the moves of its row and nothing else, one after the
/// other or, cut into segments, side by side. As perform() (hier/perform.hpp).
void perform_moves(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
