// SPDX-License-Identifier: Apache-2.0
#include "flat/bine.hpp"
#include "flat/halving.hpp"
#include "flat/reduce_scatter.hpp"

namespace echelon {

/// Halving with the partners of a Bine butterfly: long messages go to near ranks. One more exchange brings
/// every block to its rank. Any p: pairs of ranks are first folded into one, which works for both.
///
///   p = 4       rank 0       rank 1       rank 2       rank 3
///   step 0      blocks 01    blocks 23    blocks 23    blocks 01      (kept, partner 1, 0, 3, 2)
///   step 1      block 0      block 2      block 3      block 1        (partner 3, 2, 1, 0)
///   exchange    block 0      block 1      block 2      block 3
///
/// Cost for p = 2^f > 2: (f + 1) alpha + n beta + n (p - 1)/p gamma.  Needs: a commutative operation.
/// Source: De Sensi et al. 2025; the fold is that of Rabenseifner 2004, section 3.5.
void reduce_scatter_bine(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
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
    const Fold fold(problem.p);
    const double block = double(problem.bytes) / problem.p;
    // If there is one pair, the exchange of the others passes while its proxy sends.
    const bool exchanges = fold.size() > 2 && fold.pairs() != 1;
    // Rank 0, which keeps its part, waits for the last message of halving; then its partner sends part 1.
    const Cost exchange{1, block * fold.rank(2) - block * fold.rank(1), 0};
    return exchanges ? reduce_scatter_halving_cost(problem) + exchange : reduce_scatter_halving_cost(problem);
}

}  // namespace echelon
