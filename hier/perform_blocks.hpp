// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

// The shapes with a block for every rank, with the arguments of perform() (hier/perform.hpp). If only the
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

}  // namespace echelon
