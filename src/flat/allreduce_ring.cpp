// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/allreduce.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Ring: the vector is cut into p blocks; each block goes around once to be reduced, and once more to reach
/// all ranks.
///
/// Cost: 2(p - 1) alpha + n (p - 1)/p (2 beta + gamma).  Needs: a commutative operation.
/// Source: Rabenseifner 2004, section 3.7; Hasanov and Lastovetsky 2016.
void allreduce_ring(Link& link, const Args& args) {
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    reduce_scatter_ring(link, phase);
    allgather_ring(link, phase);
}

Cost allreduce_ring_cost(const Problem& problem) {
    return reduce_scatter_ring_cost(problem) + allgather_ring_cost(problem);
}

}  // namespace echelon
