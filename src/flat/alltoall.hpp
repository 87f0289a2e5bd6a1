// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas; each is described in the file of its name. `args.data` is p blocks of equal
// length, and so is the beginning of Buffer::input. Block i of the input goes to rank i; block i of
// `args.data` comes from rank i.

/// What an alltoall sends.
inline Slice alltoall_input(const Args& args) { return {0, args.data.count, Buffer::input}; }

void alltoall_linear(Link& link, const Args& args);
Cost alltoall_linear_cost(const Problem& problem);

void alltoall_pairwise(Link& link, const Args& args);
Cost alltoall_pairwise_cost(const Problem& problem);

void alltoall_bruck(Link& link, const Args& args);
Cost alltoall_bruck_cost(const Problem& problem);

}  // namespace echelon
