// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas; each is described in the file of its name. Afterwards `args.data` of rank r is
// the combination of ranks 0 .. r (scan) or 0 .. r-1 (exscan, where rank 0 keeps what it had), in rank order.

void scan_recursive_doubling(Link& link, const Args& args);
Cost scan_recursive_doubling_cost(const Problem& problem);

void scan_chain(Link& link, const Args& args);
Cost scan_chain_cost(const Problem& problem);

void exscan_recursive_doubling(Link& link, const Args& args);
Cost exscan_recursive_doubling_cost(const Problem& problem);

void scan_shm(Link& link, const Args& args);

void exscan_shm(Link& link, const Args& args);

}  // namespace echelon
