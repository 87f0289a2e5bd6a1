// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// Bodies and closed formulas, described in the files of their names. `args.input` and `args.data` are p
// blocks, of equal length unless `args.sent` is given. Block i of the input goes to rank i; block i of
// `args.data` comes from rank i.

/// The blocks of the input and of the data.
struct ExchangedBlocks {
    ExchangedBlocks(const Args& args, int p)
        : to(args.sent ? *args.sent : Blocks(args.input, p)),
          from(args.sent ? args.blocks : Blocks(args.data, p)) {}
    Blocks to, from;
};

void alltoall_linear(Link& link, const Args& args);
Cost alltoall_linear_cost(const Problem& problem);

void alltoall_pairwise(Link& link, const Args& args);
Cost alltoall_pairwise_cost(const Problem& problem);

void alltoall_bruck(Link& link, const Args& args);
Cost alltoall_bruck_cost(const Problem& problem);

void alltoall_shm(Link& link, const Args& args);

}  // namespace echelon
