// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs a resolved recipe on a team. `args` are the arguments of an algorithm (flat/algorithm.hpp); the
/// parameters of algorithms come from the phase. Collective over the team. Requires: a pipelined phase runs
/// on a recorder's team.
void perform(const Phase& phase, Team& team, const Args& args);

// Bodies of the shapes (ShapeRow::Body). Each runs the parts of a phase by perform(), with the copies between
// them.

/// Runs a shape whose ranks all work on one vector: exactly the moves of its row, one after the other or, cut
/// into segments, side by side. Its arguments are the ones of perform().
void perform_moves(const Phase& phase, Team& team, const Args& args);

/// Runs `leaders` for scan and exscan, with the arguments of perform(). Requires: groups
/// of consecutive ranks.
void perform_scan(const Phase& phase, Team& team, const Args& args);

// The shapes with a block for every rank, with the arguments of perform(). If only the
// root has the whole vector, the other ranks touch only their block of theirs.

void gather_over_leaders(const Phase& phase, Team& team, const Args& args);
void scatter_over_leaders(const Phase& phase, Team& team, const Args& args);
/// Serves both shapes: over leaders, and between equal positions.
void allgather_in_groups(const Phase& phase, Team& team, const Args& args);
void reduce_scatter_over_leaders(const Phase& phase, Team& team, const Args& args);
/// Each lane gathers its blocks between the groups, all lanes at the same time; then each group gathers its
/// lanes.
void allgather_in_lanes(const Phase& phase, Team& team, const Args& args);
void reduce_scatter_in_lanes(const Phase& phase, Team& team, const Args& args);

// The shapes of alltoall, with the arguments of perform(). Both require groups of equal
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
