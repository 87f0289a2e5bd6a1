// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/bine_butterfly.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Doubling with the partners of a Bine butterfly: long messages go to near ranks. An exchange first brings
/// every block to the rank where its neighbours in the vector arrive. If p is odd, ranks 0 and 1 act as one,
/// and rank 0 sends the whole vector to rank 1 at the end.
///
///   p = 4       rank 0       rank 1       rank 2       rank 3
///   exchange    block 0      block 2      block 3      block 1
///   step 1      blocks 01    blocks 23    blocks 23    blocks 01      (held, partner 3, 2, 1, 0)
///   step 0      blocks 0-3   blocks 0-3   blocks 0-3   blocks 0-3     (partner 1, 0, 3, 2)
///
/// Cost for even p > 2: (ceil(log2 p) + 1) alpha + n beta.  Needs: nothing.
/// Source: De Sensi et al. 2025; the fold is that of Rabenseifner 2004, section 3.5.
void allgather_bine(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold = Fold::to_even(link.size());
    if (fold.role(me) == Fold::Role::extra) {
        link.send(fold.partner(me), args.blocks[me]);
    } else {
        if (fold.role(me) == Fold::Role::proxy) link.receive(fold.partner(me), args.blocks[fold.partner(me)]);
        const FoldedBlocks parts(args.blocks, fold);
        const int own = fold.virtual_rank(me);
        const BineButterfly butterfly(fold.size(), own);
        if (const int part = butterfly.part(); part != own)
            link.exchange(fold.rank(butterfly.holder()), parts.range(own, own + 1), fold.rank(part),
                          parts.range(part, part + 1));
        double_up(link, fold, butterfly, parts);
    }
    unfold(link, fold, args.blocks.whole());
}

Cost allgather_bine_cost(const Problem& problem) {
    const Fold fold = Fold::to_even(problem.p);
    const double n = double(problem.bytes), block = n / problem.p, steps = ceil_log2(fold.size());
    // The part of a pair is twice as long.
    const double longer = fold.pairs() * bine_steps_with_own_part(fold.size());
    const double moved = block * (fold.size() - 1 + longer);
    const Cost first = fold.size() > 2 || fold.pairs() > 0 ? Cost{1, block, 0} : Cost{};
    return fold.pairs() == 0 ? first + Cost{steps, moved, 0}
                             : first + Cost{steps, moved, 0} + Cost{1, n, 0}.with_latencies(0);
}

}  // namespace echelon
