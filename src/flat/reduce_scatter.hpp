// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Afterwards rank r has block r of
// `args.blocks` of the result; the rest of `args.data` is left undefined.

void reduce_scatter_linear(Link& link, const Args& args);
Cost reduce_scatter_linear_cost(const Problem& problem);

void reduce_scatter_ring(Link& link, const Args& args);
Cost reduce_scatter_ring_cost(const Problem& problem);

void reduce_scatter_halving(Link& link, const Args& args);
Cost reduce_scatter_halving_cost(const Problem& problem);

void reduce_scatter_bine(Link& link, const Args& args);
Cost reduce_scatter_bine_cost(const Problem& problem);

void reduce_scatter_circulant(Link& link, const Args& args);
Cost reduce_scatter_circulant_cost(const Problem& problem);

void reduce_scatter_pairwise(Link& link, const Args& args);
Cost reduce_scatter_pairwise_cost(const Problem& problem);

void reduce_scatter_kring(Link& link, const Args& args);
Cost reduce_scatter_kring_cost(const Problem& problem);

void reduce_scatter_shm(Link& link, const Args& args);

}  // namespace echelon
