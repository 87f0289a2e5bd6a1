// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/site.hpp"

namespace echelon {

/// Runs a resolved recipe on a site. Args as for an algorithm (flat/algorithm.hpp): parameters of algorithms
/// are the phase's. Collective over the site. Requires: a pipelined phase runs on a recorder's site.
void perform(const Phase& phase, Site& site, const Args& args);

}  // namespace echelon
