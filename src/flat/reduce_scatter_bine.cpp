// SPDX-License-Identifier: Apache-2.0
#include "flat/bine_butterfly.hpp"
#include "flat/halving.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Halving with the partners of a Bine butterfly: long messages go to near ranks. One more exchange brings
/// every block to its rank. If p is odd, ranks 0 and 1 are first folded into one, which works for both.
///
///   p = 4       rank 0       rank 1       rank 2       rank 3
///   step 0      blocks 01    blocks 23    blocks 23    blocks 01      (kept, partner 1, 0, 3, 2)
///   step 1      block 0      block 2      block 3      block 1        (partner 3, 2, 1, 0)
///   exchange    block 0      block 1      block 2      block 3
///
/// Cost for even p > 2: (ceil(log2 p) + 1) alpha + n beta + n (p - 1)/p gamma.
/// Needs: a commutative operation.
/// Source: De Sensi et al. 2025; the fold is that of Rabenseifner 2004, section 3.5.
void reduce_scatter_bine(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold = Fold::to_even(link.size());
    const FoldedBlocks parts(args.blocks, fold);

    fold_halves(link, fold, args.blocks.whole());
    if (fold.role(me) == Fold::Role::extra) {
        link.receive(fold.partner(me), args.blocks[me]);
        return;
    }
    const int own = fold.virtual_rank(me);
    const BineButterfly butterfly(fold.size(), own);
    halve(link, fold, butterfly, parts);
    if (const int part = butterfly.part(); part != own)
        link.exchange(fold.rank(part), parts.range(part, part + 1), fold.rank(butterfly.holder()),
                      parts.range(own, own + 1));
    if (fold.role(me) == Fold::Role::proxy) link.send(fold.partner(me), args.blocks[fold.partner(me)]);
}

Cost reduce_scatter_bine_cost(const Problem& problem) {
    const Fold fold = Fold::to_even(problem.p);
    const double n = double(problem.bytes), block = n / problem.p, steps = ceil_log2(fold.size());
    // The part of a pair is twice as long.
    const double longer = fold.pairs() * bine_steps_with_own_part(fold.size());
    const double moved = block * (fold.size() - 1 + longer);
    const Cost last = fold.size() > 2 || fold.pairs() > 0 ? Cost{1, block, 0} : Cost{};
    return fold.pairs() == 0 ? Cost{steps, moved, moved} + last
                             : Cost{2, n, n / 2} + Cost{steps, moved, moved} + last.with_latencies(0);
}

}  // namespace echelon
