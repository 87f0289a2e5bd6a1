// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs a resolved recipe on a team. `args` are the arguments of an algorithm (flat/algorithm.hpp); the
/// parameters of algorithms come from the phase. Collective over the team. Requires: a pipelined phase runs
/// on a recorder's team.
void perform(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
