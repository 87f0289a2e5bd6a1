// SPDX-License-Identifier: Apache-2.0
#include "flat/allreduce.hpp"
#include "flat/bine.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Halving and doubling like rabenseifner, with the partners of a Bine butterfly: long messages go to near
/// ranks, and the short ones less far. Any p: pairs first combine half a vector each, and the extra ranks
/// receive the result at the end.
///
///   p = 4             rank 0    rank 1    rank 2    rank 3
///   halving           AB:01     CD:01     CD:23     AB:23     (partner 1, 0, 3, 2)
///   halving           A:0-3     C:0-3     D:0-3     B:0-3     (partner 3, 2, 1, 0)
///   doubling          AB        CD        CD        AB
///   doubling          ABCD      ABCD      ABCD      ABCD
///
/// Cost: that of rabenseifner.  Needs: a commutative operation.
/// Source: De Sensi et al. 2025; the fold is that of Rabenseifner 2004, section 3.5.
void allreduce_bine(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
    fold_halves(link, fold, args.data);
    if (fold.role(me) != Fold::Role::extra) {
        const BineButterfly butterfly(fold.size(), fold.virtual_rank(me));
        const Blocks parts(args.data, fold.size());
        halve(link, fold, butterfly, parts);
        double_up(link, fold, butterfly, parts);
    }
    unfold(link, fold, args.data);
}

Cost allreduce_bine_cost(const Problem& problem) { return allreduce_rabenseifner_cost(problem); }

}  // namespace echelon
