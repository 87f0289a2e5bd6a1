// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs a shape whose ranks all work on one vector: exactly the moves of its row, one after the other or, cut
/// into segments, side by side. Its arguments are the ones of perform() (hier/perform.hpp).
void perform_moves(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
