// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// Postal tree: each rank that has the vector goes on sending, and a message arrives k sends after it was
/// started. The optimal tree of LogP if k is latency and overheads over the overhead of a send.
///
///   k = 2, p = 8     sends of rank 0 to 5, 3, 2, 1;     of rank 5 to 7, 6 from the third on;     3 to 4
///
/// Cost, one message at a time, with N(t) = N(t - 1) + N(t - k): at most the least t with N(t) >= p, less the
/// waiting, times (alpha + n beta).  Needs: nothing.
/// Source: Bar-Noy and Kipnis 1994; Karp et al. 1993.
void bcast_postal(Link& link, const Args& args) {
    bcast_on_tree_from_root(link, args, PostalTree(link.size(), args.radix));
}

Cost bcast_postal_cost(const Problem& problem) {
    return tree_bcast_cost(postal_rounds(problem.p, problem.radix), problem);
}

}  // namespace echelon
