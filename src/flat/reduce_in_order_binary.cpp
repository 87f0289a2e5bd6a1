// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {

/// Binary tree with runs of ranks as subtrees, in segments. It is as fast as the heap, and keeps rank order
/// for any root.
///
///   p = 7, root 3:      3           root 0:    0
///                    1     5                 2   5
///                   0 2   4 6               1 3 4 6
///
/// Cost: that of the heap for root 0 and a root in the middle; a root near the end has one level more.
/// Needs: nothing.
/// Source: Hasanov and Lastovetsky 2016, where the last rank is the root and forwards the result.
void reduce_in_order_binary(Link& link, const Args& args) {
    reduce_on_tree(link, args, InOrderBinaryTree(link.size(), args.root));
}

Cost reduce_in_order_binary_cost(const Problem& problem) {
    return tree_reduce_cost(binary_rounds(problem.p), problem);
}

}  // namespace echelon
