// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. A rank leaves after every rank has
// entered. Only the radix of `args` matters.

void barrier_dissemination(Link& link, const Args& args);
Cost barrier_dissemination_cost(const Problem& problem);

void barrier_linear(Link& link, const Args& args);
Cost barrier_linear_cost(const Problem& problem);

void barrier_double_ring(Link& link, const Args& args);
Cost barrier_double_ring_cost(const Problem& problem);

void barrier_recursive_doubling(Link& link, const Args& args);
Cost barrier_recursive_doubling_cost(const Problem& problem);

void barrier_shm(Link& link, const Args& args);

}  // namespace echelon
