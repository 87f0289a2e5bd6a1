// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. Afterwards `args.data` of rank r is the
// combination, in rank order, of ranks 0 .. r (scan) or 0 .. r-1 (exscan). Rank 0 of an exscan keeps its
// data.

void scan_recursive_doubling(Link& link, const Args& args);
Cost scan_recursive_doubling_cost(const Problem& problem);

void scan_chain(Link& link, const Args& args);
Cost scan_chain_cost(const Problem& problem);

void exscan_recursive_doubling(Link& link, const Args& args);
Cost exscan_recursive_doubling_cost(const Problem& problem);

void exscan_123_doubling(Link& link, const Args& args);
Cost exscan_123_doubling_cost(const Problem& problem);

void scan_shm(Link& link, const Args& args);

void exscan_shm(Link& link, const Args& args);

}  // namespace echelon
