// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

// The shapes where every rank has a block; as perform() (hier/perform.hpp). Where only the root has the whole
// vector, the other ranks touch no more of theirs than their block.

void gather_over_leaders(const Phase& phase, Team& team, const Args& args);
void scatter_over_leaders(const Phase& phase, Team& team, const Args& args);
/// Over leaders, or between equal positions.
void allgather_in_groups(const Phase& phase, Team& team, const Args& args);
void reduce_scatter_over_leaders(const Phase& phase, Team& team, const Args& args);
/// Each lane gathers its blocks between the groups, all lanes at the same time; then each group its lanes.
void allgather_in_lanes(const Phase& phase, Team& team, const Args& args);
void reduce_scatter_in_lanes(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
