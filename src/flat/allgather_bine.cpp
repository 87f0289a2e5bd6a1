// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/bine.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Doubling with the partners of a Bine butterfly: long messages go to near ranks. An exchange first brings
/// every block to the rank where its neighbours in the vector arrive. Any p: the ranks of a pair act as one,
/// and its proxy sends the whole vector to the other rank at the end.
///
///   p = 4       rank 0       rank 1       rank 2       rank 3
///   exchange    block 0      block 2      block 3      block 1
///   step 1      blocks 01    blocks 23    blocks 23    blocks 01      (held, partner 3, 2, 1, 0)
///   step 0      blocks 0-3   blocks 0-3   blocks 0-3   blocks 0-3     (partner 1, 0, 3, 2)
///
/// Cost for p = 2^f > 2: (f + 1) alpha + n beta.  Needs: nothing.
/// Source: De Sensi et al. 2025; the fold is that of Rabenseifner 2004, section 3.5.
void allgather_bine(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
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
    const Fold fold(problem.p);
    const double block = double(problem.bytes) / problem.p;
    // If there is one pair, the exchange of the others passes while it is folded.
    const bool exchanges = fold.size() > 2 && fold.pairs() != 1;
    // Rank 1 sends its part to the partner of rank 0 in the first step of doubling.
    const Cost exchange{1, block * fold.rank(2) - block * fold.rank(1), 0};
    return exchanges ? exchange + allgather_doubling_cost(problem) : allgather_doubling_cost(problem);
}

}  // namespace echelon
