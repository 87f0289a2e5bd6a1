// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Afterwards all ranks have the same bits
// of the result in `args.data`.

void allreduce_direct(Link& link, const Args& args);
Cost allreduce_direct_cost(const Problem& problem);

void allreduce_linear(Link& link, const Args& args);
Cost allreduce_linear_cost(const Problem& problem);

void allreduce_reduce_bcast(Link& link, const Args& args);
Cost allreduce_reduce_bcast_cost(const Problem& problem);

void allreduce_recursive_doubling(Link& link, const Args& args);
Cost allreduce_recursive_doubling_cost(const Problem& problem);

void allreduce_rabenseifner(Link& link, const Args& args);
Cost allreduce_rabenseifner_cost(const Problem& problem);

void allreduce_bine(Link& link, const Args& args);
Cost allreduce_bine_cost(const Problem& problem);

void allreduce_ring(Link& link, const Args& args);
Cost allreduce_ring_cost(const Problem& problem);

void allreduce_segmented_ring(Link& link, const Args& args);
Cost allreduce_segmented_ring_cost(const Problem& problem);

void allreduce_circulant(Link& link, const Args& args);
Cost allreduce_circulant_cost(const Problem& problem);

void allreduce_recursive_multiplying(Link& link, const Args& args);
Cost allreduce_recursive_multiplying_cost(const Problem& problem);

void allreduce_census(Link& link, const Args& args);
Cost allreduce_census_cost(const Problem& problem);

void allreduce_dual_root(Link& link, const Args& args);
Cost allreduce_dual_root_cost(const Problem& problem);

void allreduce_binary_blocks(Link& link, const Args& args);
Cost allreduce_binary_blocks_cost(const Problem& problem);

void allreduce_elimination_short(Link& link, const Args& args);
Cost allreduce_elimination_short_cost(const Problem& problem);

void allreduce_elimination_long(Link& link, const Args& args);
Cost allreduce_elimination_long_cost(const Problem& problem);

void allreduce_kring(Link& link, const Args& args);
Cost allreduce_kring_cost(const Problem& problem);

void allreduce_shm(Link& link, const Args& args);

}  // namespace echelon
