// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"

namespace echelon {

/// Pairwise exchange: in step i every rank sends to the rank i places further on and receives from the rank i
/// places before. No rank ever receives two messages at a time.
///
/// Cost: (p - 1) alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void alltoall_pairwise(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const auto [to_blocks, from_blocks] = ExchangedBlocks(args, p);
    link.copy(from_blocks[me], to_blocks[me]);
    for (int step = 1; step < p; ++step) {
        const int to = wrap(me + step, p), from = wrap(me - step, p);
        link.exchange(to, to_blocks[to], from, from_blocks[from]);
    }
}

Cost alltoall_pairwise_cost(const Problem& problem) {
    const double p = problem.p;
    return {p - 1, double(problem.bytes) * (p - 1) / p, 0};
}

}  // namespace echelon
