// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Postal tree: the broadcast's in reverse. A rank receives one operand after another, and its sum takes k of
/// these times to the parent. Short operands of several children are under way at once. The optimal summation
/// of LogP if k is latency and overheads over the time to receive and combine.
///
///   k = 2, p = 8     rank 0           rank 5        rank 3
///   first            01               56            34        (from 1, 6, 4)
///   then             01 2             567                     (from 2, 7)
///   then             012 34, and 01234 567                    (from 3, then from 5)
///
/// Cost: as many messages as bcast_postal has, and a combination for each level; others hide.
/// Needs: nothing.
/// Source: Bar-Noy and Kipnis 1994; Karp et al. 1993.
void reduce_postal(Link& link, const Args& args) {
    reduce_on_tree_to_root(
        link, args, [&](int p) { return PostalTree(p, args.radix); }, most_operands_at_once);
}

Cost reduce_postal_cost(const Problem& problem) {
    return tree_reduce_cost(postal_rounds(problem.p, problem.radix), problem);
}

}  // namespace echelon
