// SPDX-License-Identifier: Apache-2.0
#include "flat/halving.hpp"
#include "flat/reduce.hpp"

namespace echelon {

/// Recursive halving, then a binomial gather to the root along the same pairs. Each rank combines only part
/// of the vector, in rank order. If p is not a power of two, p' < p is the largest one below it: p - p' pairs
/// first combine half a vector each. The root is the rank of its pair that continues.
///
///   p = 5, root 1     rank 0    rank 1     rank 2    rank 3    rank 4
///   fold on halves    -         ABCD:01    ABCD:2    ABCD:3    ABCD:4
///   halving                     AB:012     CD:012    AB:34     CD:34
///   halving                     A:0-4      C:0-4     B:0-4     D:0-4
///   gather                      AB         CD        ->        ->
///   gather                      ABCD       ->
///
/// Cost: 2f alpha + n (p - 1)/p (2 beta + gamma) for p = 2^f, else
/// (2f + 2) alpha + (3 - 2/p') n beta + (3/2 - 1/p') n gamma with p' = 2^f.  Needs: nothing.
/// Source: Rabenseifner 2004, section 3.5 (its printed p' = 2^ceil(log2 p) should be a floor).
void reduce_rabenseifner(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size(), args.root);
    fold_halves(link, fold, args.data);
    if (fold.role(me) == Fold::Role::extra) return;

    const int own = fold.virtual_rank(me), root = fold.virtual_rank(args.root);
    const Butterfly butterfly(fold.size(), own, Butterfly::Order::near_first);
    const Blocks parts(args.data, fold.size());
    halve(link, fold, butterfly, parts);
    gather_up(link, fold, butterfly, parts, root);
}

Cost reduce_rabenseifner_cost(const Problem& problem) {
    const Fold fold(problem.p);
    const double n = double(problem.bytes), steps = floor_log2(problem.p), moved = n - n / fold.size();
    const Cost butterfly{2 * steps, 2 * moved, moved};
    return fold.pairs() == 0 ? butterfly : Cost{2, n, n / 2} + butterfly;
}

}  // namespace echelon
