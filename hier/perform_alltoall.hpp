// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

// The shapes of alltoall, with the arguments of perform() (hier/perform.hpp). Both require groups of equal
// size.

/// Blocks for a position of any group go to that position of the own group first, then across the groups. All
/// blocks of a group for a rank arrive together: G + S - 2 messages instead of p - 1, with groups of S ranks.
///
///   2 groups of 3    inside                  across
///   rank 0 to 1      0's blocks for 1, 4
///   rank 1 to 4                              the blocks of 0, 1, 2 for 4
void alltoall_by_positions(const Phase& phase, Team& team, const Args& args);

/// A leader gathers the vectors of its group, exchanges them with the other leaders and scatters the blocks
/// that arrive: only G (G - 1) messages go between the groups. The leader holds the vectors of its whole
/// group, twice.
void alltoall_over_leaders(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
