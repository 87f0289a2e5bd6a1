// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/allreduce.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Direct, or two-shot: every rank combines one block of all ranks' vectors and sends it to all others, both
/// with all messages at once. If messages overlap, it takes two latencies. A window limits the contributions
/// that arrive at a time, like in reduce_scatter_linear.
///
/// Cost, one message at a time: 2(p - 1) alpha + n (p - 1)/p (2 beta + gamma).  Needs: space for p - 1
/// blocks.
void allreduce_direct(Link& link, const Args& args) {
    Args phase = args;
    phase.blocks = Blocks(args.data, link.size());
    reduce_scatter_linear(link, phase);
    allgather_linear(link, phase);
}

Cost allreduce_direct_cost(const Problem& problem) {
    return reduce_scatter_linear_cost(problem) + allgather_linear_cost(problem);
}

}  // namespace echelon
