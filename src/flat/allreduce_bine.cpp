// SPDX-License-Identifier: Apache-2.0
#include "flat/allreduce.hpp"
#include "flat/bine_butterfly.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Halving and doubling like rabenseifner, with the partners of a Bine butterfly, whose long messages go to
/// near ranks, for any even p. If p is odd, ranks 0 and 1 first combine half a vector each and continue as
/// one.
///
///   p = 4             rank 0    rank 1    rank 2    rank 3
///   halving           AB:01     CD:01     CD:23     AB:23     (partner 1, 0, 3, 2)
///   halving           A:0-3     C:0-3     D:0-3     B:0-3     (partner 3, 2, 1, 0)
///   doubling          AB        CD        CD        AB
///   doubling          ABCD      ABCD      ABCD      ABCD
///
/// Cost: 2 ceil(log2 p) alpha + n (p - 1)/p (2 beta + gamma) for even p; 3 alpha + 2n beta + n/2 gamma more
/// for odd p.  Needs: a commutative operation.
/// Source: De Sensi et al. 2025; the fold is that of Rabenseifner 2004, section 3.5.
void allreduce_bine(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold = Fold::to_even(link.size());
    fold_halves(link, fold, args.data);
    if (fold.role(me) != Fold::Role::extra) {
        const BineButterfly butterfly(fold.size(), fold.virtual_rank(me));
        const Blocks parts(args.data, fold.size());
        halve(link, fold, butterfly, parts);
        double_up(link, fold, butterfly, parts);
    }
    unfold(link, fold, args.data);
}

Cost allreduce_bine_cost(const Problem& problem) {
    const Fold fold = Fold::to_even(problem.p);
    const double n = double(problem.bytes), steps = ceil_log2(fold.size()), moved = n - n / fold.size();
    const Cost butterfly{2 * steps, 2 * moved, moved};
    return fold.pairs() == 0 ? butterfly : Cost{2, n, n / 2} + butterfly + Cost{1, n, 0};
}

}  // namespace echelon
