// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Afterwards all ranks have the root's
// `args.data`.

void bcast_direct(Link& link, const Args& args);
Cost bcast_direct_cost(const Problem& problem);

void bcast_flat_tree(Link& link, const Args& args);
Cost bcast_flat_tree_cost(const Problem& problem);

void bcast_chain(Link& link, const Args& args);
Cost bcast_chain_cost(const Problem& problem);

void bcast_binary(Link& link, const Args& args);
Cost bcast_binary_cost(const Problem& problem);

void bcast_binomial(Link& link, const Args& args);
Cost bcast_binomial_cost(const Problem& problem);

void bcast_knomial(Link& link, const Args& args);
Cost bcast_knomial_cost(const Problem& problem);

void bcast_bine(Link& link, const Args& args);
Cost bcast_bine_cost(const Problem& problem);

void bcast_scatter_allgather(Link& link, const Args& args);
Cost bcast_scatter_allgather_cost(const Problem& problem);

void bcast_ring(Link& link, const Args& args);
Cost bcast_ring_cost(const Problem& problem);

void bcast_circulant(Link& link, const Args& args);
Cost bcast_circulant_cost(const Problem& problem);

void bcast_two_tree(Link& link, const Args& args);
Cost bcast_two_tree_cost(const Problem& problem);

void bcast_split_binary(Link& link, const Args& args);
Cost bcast_split_binary_cost(const Problem& problem);

void bcast_shm(Link& link, const Args& args);

}  // namespace echelon
