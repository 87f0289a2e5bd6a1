// SPDX-License-Identifier: Apache-2.0
#include "flat/allreduce.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Recursive halving, then recursive doubling: a reduce-scatter with parts in any order, and its reverse.
/// Taking near partners first keeps the rank order and gives the long messages to neighbours. If p is not a
/// power of two, p' < p is the largest one below it: p - p' pairs first combine half a vector each, and the
/// extra ranks receive the result at the end.
///
///   p = 5             rank 0    rank 1    rank 2    rank 3    rank 4
///   fold on halves    ABCD:01   -         ABCD:2    ABCD:3    ABCD:4
///   halving           AB:012    -         CD:012    AB:34     CD:34
///   halving           A:0-4     -         C:0-4     B:0-4     D:0-4
///   doubling          AB        -         CD        AB        CD
///   doubling          ABCD      -         ABCD      ABCD      ABCD
///   unfold                      ABCD
///
/// Cost: 2f alpha + n (p - 1)/p (2 beta + gamma) for p = 2^f, else
/// (2f + 3) alpha + (4 - 2/p') n beta + (3/2 - 1/p') n gamma with p' = 2^f.  Needs: nothing.
/// Source: Rabenseifner 2004, section 3.5 (its printed p' = 2^ceil(log2 p) should be a floor).
void allreduce_rabenseifner(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
    fold_halves(link, fold, args.data);
    if (fold.role(me) != Fold::Role::extra) {
        const Butterfly butterfly(fold.size(), fold.virtual_rank(me), Butterfly::Order::near_first);
        const Blocks parts(args.data, fold.size());
        halve(link, fold, butterfly, parts);
        double_up(link, fold, butterfly, parts);
    }
    unfold(link, fold, args.data);
}

Cost allreduce_rabenseifner_cost(const Problem& problem) {
    const Fold fold(problem.p);
    const double n = double(problem.bytes), steps = floor_log2(problem.p), moved = n - n / fold.size();
    const Cost butterfly{2 * steps, 2 * moved, moved};
    return fold.pairs() == 0 ? butterfly : Cost{2, n, n / 2} + butterfly + Cost{1, n, 0};
}

}  // namespace echelon
