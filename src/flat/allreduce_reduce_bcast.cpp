// SPDX-License-Identifier: Apache-2.0
#include "flat/allreduce.hpp"
#include "flat/bcast.hpp"
#include "flat/reduce.hpp"

namespace echelon {

/// Non-overlapping: a binomial reduce to rank 0, then a binomial broadcast from it, both segmented. Recipes
/// name other pairs: `chain+binary`.
///
///   p = 4     1 -> 0, 3 -> 2     2 -> 0     0 -> 2     0 -> 1, 2 -> 3
///
/// Cost: that of the two trees, 2q(alpha + n beta) + q n gamma uncut, with q = ceil(log2 p).  Needs: nothing.
/// Source: Hasanov and Lastovetsky 2016; Rabenseifner 2004, section 3.1.
void allreduce_reduce_bcast(Link& link, const Args& args) {
    reduce_binomial(link, args);
    bcast_binomial(link, args);
}

Cost allreduce_reduce_bcast_cost(const Problem& problem) {
    return reduce_binomial_cost(problem) + bcast_binomial_cost(problem);
}

}  // namespace echelon
