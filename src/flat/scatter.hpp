// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Every rank gets its block of
// `args.blocks` from the root. Ranks other than the root touch only their own block of `args.data`.

void scatter_linear(Link& link, const Args& args);
Cost scatter_linear_cost(const Problem& problem);

void scatter_binomial(Link& link, const Args& args);
Cost scatter_binomial_cost(const Problem& problem);

void scatter_bine(Link& link, const Args& args);
Cost scatter_bine_cost(const Problem& problem);

void scatter_shm(Link& link, const Args& args);

}  // namespace echelon
