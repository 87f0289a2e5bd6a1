// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/allreduce.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// k-ring: a ring allreduce with rings inside groups of k consecutive ranks, whose links carry most of the
/// steps. k is lowered to a divisor of p.
///
/// Cost: 2(p - 1) alpha + n (p - 1)/p (2 beta + gamma).  Needs: a commutative operation.
/// Source: Wilkins et al., Generalized collective algorithms for the exascale era, 2023.
void allreduce_kring(Link& link, const Args& args) {
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    reduce_scatter_kring(link, phase);
    allgather_kring(link, phase);
}

Cost allreduce_kring_cost(const Problem& problem) {
    return reduce_scatter_kring_cost(problem) + allgather_kring_cost(problem);
}

}  // namespace echelon
