// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/allreduce.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Circulant reduce-scatter and allgather: the least bytes, in as few rounds as these allow, for any p.
///
/// Cost: 2 ceil(log2 p) alpha + n (p - 1)/p (2 beta + gamma).  Needs: a commutative operation.
/// Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024.
void allreduce_circulant(Link& link, const Args& args) {
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    reduce_scatter_circulant(link, phase);
    allgather_circulant(link, phase);
}

Cost allreduce_circulant_cost(const Problem& problem) {
    return reduce_scatter_circulant_cost(problem) + allgather_circulant_cost(problem);
}

}  // namespace echelon
