// SPDX-License-Identifier: Apache-2.0
#include "flat/allreduce.hpp"
#include "flat/halving.hpp"

namespace echelon {

/// Recursive doubling: in step k partners at distance 2^k exchange their whole vectors and both combine them.
/// Any p: extra ranks send their vector to a neighbour first and receive the result at the end.
///
///   p = 5     rank 0    rank 1    rank 2    rank 3    rank 4
///   fold      01        -         2         3         4
///   step 0    012       -         012       34        34
///   step 1    01234     -         01234     01234     01234
///   unfold              01234
///
/// Cost: f (alpha + n beta + n gamma) for p = 2^f, else (f + 2) (alpha + n beta) + (f + 1) n gamma, with f =
/// floor(log2 p).  Needs: nothing. Both ranks of a pair use the same brackets: all ranks have the same bits.
/// Source: Rabenseifner 2004, section 3.4; Ruefenacht et al. 2017, algorithm 1.
void allreduce_recursive_doubling(Link& link, const Args& args) {
    const int me = link.rank();
    const Fold fold(link.size());
    fold_whole(link, fold, args.data);
    if (fold.role(me) != Fold::Role::extra) {
        const Butterfly butterfly(fold.size(), fold.virtual_rank(me), Butterfly::Order::near_first);
        for (int step = 0; step < butterfly.steps(); ++step) {
            const int peer = fold.rank(butterfly.peer(step));
            link.exchange_reduce(peer, args.data, peer, args.data, side_of(butterfly.peer_is_before(step)));
        }
    }
    unfold(link, fold, args.data);
}

Cost allreduce_recursive_doubling_cost(const Problem& problem) {
    const Fold fold(problem.p);
    const double n = double(problem.bytes), steps = floor_log2(problem.p);
    return fold.pairs() == 0 ? steps * Cost{1, n, n}
                             : Cost{1, n, n} + steps * Cost{1, n, n} + Cost{1, n, 0}.with_latencies(0);
}

}  // namespace echelon
