// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. The root gets all blocks of
// `args.blocks` from their ranks. Other ranks touch only their own block of `args.data`.

void gather_linear(Link& link, const Args& args);
Cost gather_linear_cost(const Problem& problem);

void gather_binomial(Link& link, const Args& args);
Cost gather_binomial_cost(const Problem& problem);

void gather_bine(Link& link, const Args& args);
Cost gather_bine_cost(const Problem& problem);

void gather_shm(Link& link, const Args& args);

}  // namespace echelon
