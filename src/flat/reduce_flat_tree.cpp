// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Flat tree: the root receives and combines the vectors of all others, outwards from its own place in the
/// rank order.
///
///   p = 4, root 2     12    012    0123      (combined at rank 2)
///
/// Cost: (p - 1)(alpha + n beta) + n gamma: every combination but the last hides behind the next message. If
/// combining is slower: (p - 1) n gamma + alpha + n beta.  Needs: nothing.
/// Source: Hasanov and Lastovetsky 2016.
void reduce_flat_tree(Link& link, const Args& args) {
    reduce_on_tree(link, args, StarTree(link.size(), args.root));
}

Cost reduce_flat_tree_cost(const Problem& problem) {
    return tree_reduce_cost(star_rounds(problem.p), problem);
}

}  // namespace echelon
