// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

// The shapes of alltoall; as perform() (hier/perform.hpp). Both require groups of equal size.

/// What goes to a position of any group goes to that position of the own group first, then over to the
/// groups, where all of a group's blocks for a rank arrive together: G + S - 2 messages in place of p - 1.
///
///   2 groups of 3    inside                  across
///   rank 0 to 1      0's blocks for 1, 4
///   rank 1 to 4                              the blocks of 0, 1, 2 for 4
void alltoall_by_positions(const Phase& phase, Team& team, const Args& args);

/// A leader gathers what its group sends, exchanges it with the other leaders and scatters what arrives: only
/// G (G - 1) messages go between the groups. The leader holds the vectors of its whole group, twice.
void alltoall_over_leaders(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
