// SPDX-License-Identifier: Apache-2.0
#include "flat/binomial_blocks.hpp"
#include "flat/scatter.hpp"

#include "core/ranks.hpp"

namespace echelon {

/// Binomial tree: a rank that has the blocks of a subtree sends the far half of them to the root of that
/// half.
///
///   p = 6     rank 0        rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    0 1 2 3                                     4 5                  (blocks held)
///   step 1    0 1                     2 3                 4         5
///   step 2    0             1         2         3
///
/// Cost: ceil(log2 p) alpha + n (p - 1)/p beta.  Needs: nothing.
void scatter_binomial(Link& link, const Args& args) {
    const BinomialBlocks tree(args.blocks, link.size(), args.root, link.rank());
    if (tree.is_root()) {
        for (int width = tree.width() / 2; width > 0; width /= 2) {
            if (!tree.has_child(width)) continue;
            Scratch scratch(link);
            link.send(tree.child(width), joined(link, scratch, tree.of_child(width)));
        }
    } else {
        Scratch scratch(link);
        const Slice own = args.blocks[link.rank()],
                    subtree = tree.width() == 1 ? own : scratch(tree.of_subtree().count());
        link.receive(tree.parent(), subtree);
        for (int width = tree.width() / 2; width > 0; width /= 2)
            if (tree.has_child(width)) link.send(tree.child(width), tree.of_child_in(subtree, width));
        if (tree.width() > 1) link.copy(own, subtree.part(0, own.count));
    }
}

Cost scatter_binomial_cost(const Problem& problem) {
    return Cost{double(ceil_log2(problem.p)), double(problem.bytes) * (problem.p - 1) / problem.p, 0}
        .with_latencies(floor_log2(problem.p));
}

}  // namespace echelon
