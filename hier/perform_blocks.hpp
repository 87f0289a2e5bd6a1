// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/site.hpp"

namespace echelon {

/// Runs a shape for a collective in which every rank has a block. As perform() (hier/perform.hpp). Where only
/// the root has the whole vector, the other ranks touch no more of theirs than their block.
void perform_blocks(const Phase& phase, Site& site, const Args& args);

}  // namespace echelon
