// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs a resolved recipe on a team. Args as for an algorithm (flat/algorithm.hpp): parameters of algorithms
/// are the phase's. Collective over the team. Requires: a pipelined phase runs on a recorder's team.
void perform(const Phase& phase, Team& team, const Args& args);

}  // namespace echelon
