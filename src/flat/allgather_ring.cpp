// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allgather.hpp"

namespace echelon {

/// Ring allgather: every block travels once around the circle.
///
///   p = 3     rank 0       rank 1       rank 2
///   step 0    block 2      block 0      block 1      (received from the left)
///   step 1    block 1      block 2      block 0
///
/// Cost: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Rabenseifner 2004, section 3.7.
void allgather_ring(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const int next = wrap(me + 1, p), prev = wrap(me - 1, p);
    for (int step = 0; step < p - 1; ++step)
        link.exchange(next, args.blocks[wrap(me - step, p)], prev, args.blocks[wrap(me - 1 - step, p)]);
}

Cost allgather_ring_cost(const Problem& problem) {
    const double p = problem.p, n = double(problem.bytes);
    return {p - 1, n * (p - 1) / p, 0};
}

}  // namespace echelon
