// SPDX-License-Identifier: Apache-2.0
#include "flat/halving.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Recursive halving: in every step a rank sends one half of the blocks that it still works on to a partner
/// and combines the other half. Any p: pairs of ranks are first folded into one, which works for both.
///
///   p = 4     rank 0       rank 1       rank 2       rank 3
///   step 0    blocks 01    blocks 01    blocks 23    blocks 23      (kept, partner at distance 2)
///   step 1    block 0      block 1      block 2      block 3        (distance 1)
///
/// Taking far partners first leaves block r at rank r. If operands must stay in rank order, near partners
/// come first, and one more exchange brings every block to its rank.
///
/// Cost for p = 2^f: f alpha + n (p - 1)/p (beta + gamma); in rank order alpha + n/p beta more.
/// Needs: nothing.
/// Source: Thakur, Rabenseifner, Gropp 2005; the fold is that of Rabenseifner 2004, section 3.5.
void reduce_scatter_halving(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
    const FoldedBlocks parts(args.blocks, fold);

    fold_halves(link, fold, args.blocks.whole());
    if (fold.role(me) == Fold::Role::extra) {
        link.receive(fold.partner(me), args.blocks[me]);
        return;
    }
    const int own = fold.virtual_rank(me);
    const Slice mine = parts.range(own, own + 1);
    if (args.in_order) {
        const Butterfly butterfly(fold.size(), own, Butterfly::Order::near_first);
        halve(link, fold, butterfly, parts);
        if (const int owner = butterfly.part(); owner != own)
            link.exchange(fold.rank(owner), parts.range(owner, owner + 1), fold.rank(owner), mine);
    } else {
        halve(link, fold, Butterfly(fold.size(), own, Butterfly::Order::far_first), parts);
    }
    if (fold.role(me) == Fold::Role::proxy) link.send(fold.partner(me), args.blocks[fold.partner(me)]);
}

Cost reduce_scatter_halving_cost(const Problem& problem) {
    const Fold fold(problem.p);
    const double block = double(problem.bytes) / problem.p;
    Cost cost;
    // The lower half holds the folded pairs: rank 0, which keeps it, is the last to finish.
    for (int width = fold.size() / 2; width > 0; width /= 2) {
        const double lower = block * fold.rank(width);
        cost = cost + Cost{1, lower, lower};
    }
    if (fold.pairs() == 0) return cost;
    const double n = double(problem.bytes);
    return Cost{2, n, n / 2} + cost + Cost{1, block, 0}.with_latencies(0);
}

}  // namespace echelon
