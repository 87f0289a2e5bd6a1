// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas; each is described in the file of its name. Gather: the root gets all blocks of
// `args.blocks` from their ranks. Scatter: every rank gets its block from the root. Ranks other than the root
// touch no more of `args.data` than their own block.

void scatter_linear(Link& link, const Args& args);
Cost scatter_linear_cost(const Problem& problem);

void scatter_binomial(Link& link, const Args& args);
Cost scatter_binomial_cost(const Problem& problem);

void scatter_shm(Link& link, const Args& args);

}  // namespace echelon
