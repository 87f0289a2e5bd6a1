// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Afterwards the root has the result in
// `args.data`; the other ranks' `args.data` is left undefined. The formulas hold for root 0: in rank order to
// another root some algorithms take one message more.

void reduce_direct(Link& link, const Args& args);
Cost reduce_direct_cost(const Problem& problem);

void reduce_flat_tree(Link& link, const Args& args);
Cost reduce_flat_tree_cost(const Problem& problem);

void reduce_linear(Link& link, const Args& args);
Cost reduce_linear_cost(const Problem& problem);

void reduce_chain(Link& link, const Args& args);
Cost reduce_chain_cost(const Problem& problem);

void reduce_binary(Link& link, const Args& args);
Cost reduce_binary_cost(const Problem& problem);

void reduce_in_order_binary(Link& link, const Args& args);
Cost reduce_in_order_binary_cost(const Problem& problem);

void reduce_binomial(Link& link, const Args& args);
Cost reduce_binomial_cost(const Problem& problem);

void reduce_knomial(Link& link, const Args& args);
Cost reduce_knomial_cost(const Problem& problem);

void reduce_bine(Link& link, const Args& args);
Cost reduce_bine_cost(const Problem& problem);

void reduce_rabenseifner(Link& link, const Args& args);
Cost reduce_rabenseifner_cost(const Problem& problem);

void reduce_ring(Link& link, const Args& args);
Cost reduce_ring_cost(const Problem& problem);

void reduce_circulant(Link& link, const Args& args);
Cost reduce_circulant_cost(const Problem& problem);

void reduce_two_tree(Link& link, const Args& args);
Cost reduce_two_tree_cost(const Problem& problem);

void reduce_binary_blocks(Link& link, const Args& args);
Cost reduce_binary_blocks_cost(const Problem& problem);

void reduce_kchain(Link& link, const Args& args);
Cost reduce_kchain_cost(const Problem& problem);

void reduce_shm(Link& link, const Args& args);

}  // namespace echelon
