// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Pairwise exchange: every rank sends each other rank its contribution to that rank's block, directly. In
/// step i the peers are i places away. No rank waits for the results of others.
///
/// Cost: (p - 1) alpha + n (p - 1)/p (beta + gamma).  Needs: a commutative operation.
/// Source: Rabenseifner 2004, section 3.7.
void reduce_scatter_pairwise(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    for (int step = 1; step < p; ++step) {
        const int to = wrap(me + step, p), from = wrap(me - step, p);
        link.exchange_reduce(to, args.blocks[to], from, args.blocks[me], Side::before);
    }
}

Cost reduce_scatter_pairwise_cost(const Problem& problem) {
    const double p = problem.p, moved = double(problem.bytes) * (p - 1) / p;
    return {p - 1, moved, moved};
}

}  // namespace echelon
