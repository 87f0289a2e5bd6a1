// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Before the call rank r has block r of
// `args.blocks`, afterwards all ranks have all blocks.

void allgather_linear(Link& link, const Args& args);
Cost allgather_linear_cost(const Problem& problem);

void allgather_ring(Link& link, const Args& args);
Cost allgather_ring_cost(const Problem& problem);

void allgather_doubling(Link& link, const Args& args);
Cost allgather_doubling_cost(const Problem& problem);

void allgather_bine(Link& link, const Args& args);
Cost allgather_bine_cost(const Problem& problem);

void allgather_circulant(Link& link, const Args& args);
Cost allgather_circulant_cost(const Problem& problem);

void allgather_kring(Link& link, const Args& args);
Cost allgather_kring_cost(const Problem& problem);

void allgather_shm(Link& link, const Args& args);

}  // namespace echelon
