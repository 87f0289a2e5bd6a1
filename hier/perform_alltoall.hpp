// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/site.hpp"

namespace echelon {

/// Runs a shape for alltoall. As perform() (hier/perform.hpp). Requires: groups of equal size.
void perform_alltoall(const Phase& phase, Site& site, const Args& args);

}  // namespace echelon
