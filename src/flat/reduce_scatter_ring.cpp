// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Ring reduce-scatter: p - 1 steps to the right neighbour; afterwards rank r owns the result of block r.
///
///   p = 3     rank 0           rank 1           rank 2
///   step 0    block 1 = 2+0    block 2 = 0+1    block 0 = 1+2     (ranks it contains)
///   step 1    block 0 = all    block 1 = all    block 2 = all
///
/// Cost: (p - 1) alpha + n (p - 1)/p (beta + gamma).  Needs: a commutative operation.
/// Source: Rabenseifner 2004, section 3.7.
void reduce_scatter_ring(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const int next = wrap(me + 1, p), prev = wrap(me - 1, p);
    for (int step = 0; step < p - 1; ++step)
        link.exchange_reduce(next, args.blocks[wrap(me - 1 - step, p)], prev,
                             args.blocks[wrap(me - 2 - step, p)], Side::before);
}

Cost reduce_scatter_ring_cost(const Problem& problem) {
    const double p = problem.p, n = double(problem.bytes);
    return {p - 1, n * (p - 1) / p, n * (p - 1) / p};
}

}  // namespace echelon
