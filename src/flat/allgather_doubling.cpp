// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Recursive doubling: in every step partners exchange all blocks that they have. Any p: the ranks of a pair
/// act as one, and its proxy sends the whole vector to the other rank at the end.
///
///   p = 4     rank 0       rank 1       rank 2       rank 3
///   step 0    block 1      block 0      block 3      block 2        (received, partner at distance 1)
///   step 1    blocks 23    blocks 23    blocks 01    blocks 01      (distance 2)
///
/// Cost for p = 2^f: f alpha + n (p - 1)/p beta.  Needs: nothing.
/// Source: Thakur, Rabenseifner, Gropp 2005.
void allgather_doubling(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
    if (fold.role(me) == Fold::Role::extra) {
        link.send(fold.partner(me), args.blocks[me]);
    } else {
        if (fold.role(me) == Fold::Role::proxy) link.receive(fold.partner(me), args.blocks[fold.partner(me)]);
        double_up(link, fold, Butterfly(fold.size(), fold.virtual_rank(me), Butterfly::Order::far_first),
                  FoldedBlocks(args.blocks, fold));
    }
    unfold(link, fold, args.blocks.whole());
}

Cost allgather_doubling_cost(const Problem& problem) {
    const Fold fold(problem.p);
    const double n = double(problem.bytes), block = n / problem.p;
    Cost cost;
    // The lower half holds the pairs: the ranks that receive it are the last to finish.
    for (int width = 1; width < fold.size(); width *= 2) cost = cost + Cost{1, block * fold.rank(width), 0};
    return fold.pairs() == 0 ? cost : Cost{1, block, 0} + cost + Cost{1, n, 0}.with_latencies(0);
}

}  // namespace echelon
