// SPDX-License-Identifier: Apache-2.0
#include "flat/allreduce.hpp"
#include "flat/bcast.hpp"
#include "flat/reduce.hpp"

namespace echelon {

/// Linear: rank 0 receives and combines the vectors of all others, and sends the result to each of them.
///
///   p = 3     1, 2 -> 0     012 at 0     0 -> 1, 2
///
/// Cost: that of the two flat trees, 2(p - 1)(alpha + n beta) + n gamma if combining hides behind messages.
void allreduce_linear(Link& link, const Args& args) {
    reduce_flat_tree(link, args);
    bcast_flat_tree(link, args);
}

Cost allreduce_linear_cost(const Problem& problem) {
    return reduce_flat_tree_cost(problem) + bcast_flat_tree_cost(problem);
}

}  // namespace echelon
