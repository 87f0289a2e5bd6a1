// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas; each is described in the file of its name. Gather: the root gets all blocks of
// `args.blocks` from their ranks. Scatter: every rank gets its block from the root. Ranks other than the root
// touch no more of `args.data` than their own block.

void gather_linear(Link& link, const Args& args);
Cost gather_linear_cost(const Problem& problem);

void gather_binomial(Link& link, const Args& args);
Cost gather_binomial_cost(const Problem& problem);

void gather_shm(Link& link, const Args& args);

}  // namespace echelon
