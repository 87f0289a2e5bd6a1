// SPDX-License-Identifier: Apache-2.0
#include "flat/binomial_blocks.hpp"
#include "flat/gather.hpp"

#include "core/ranks.hpp"

namespace echelon {

/// Binomial tree: in step k ranks at distance 2^k from their parent send it the blocks of their subtree.
///
///   p = 6     rank 0        rank 1    rank 2    rank 3    rank 4    rank 5
///   step 0    0 1                     2 3                 4 5                  (blocks held)
///   step 1    0 1 2 3                                     4 5
///   step 2    0 1 2 3 4 5
///
/// Cost: ceil(log2 p) alpha + n (p - 1)/p beta.  Needs: nothing.
void gather_binomial(Link& link, const Args& args) {
    const BinomialBlocks tree(args.blocks, link.size(), args.root, link.rank());
    if (tree.is_root()) {
        for (int width = 1; width < tree.width(); width *= 2) {
            if (!tree.has_child(width)) continue;
            const auto blocks = tree.of_child(width);
            Scratch scratch(link);
            const Slice received = blocks.in_one_piece() ? blocks.piece() : scratch(blocks.count());
            link.receive(tree.child(width), received);
            if (!blocks.in_one_piece()) spread(link, blocks, received);
        }
    } else {
        Scratch scratch(link);
        const Slice own = args.blocks[link.rank()],
                    subtree = tree.width() == 1 ? own : scratch(tree.of_subtree().count());
        if (tree.width() > 1) link.copy(subtree.part(0, own.count), own);
        for (int width = 1; width < tree.width(); width *= 2)
            if (tree.has_child(width)) link.receive(tree.child(width), tree.of_child_in(subtree, width));
        link.send(tree.parent(), subtree);
    }
}

Cost gather_binomial_cost(const Problem& problem) {
    return Cost{double(ceil_log2(problem.p)), double(problem.bytes) * (problem.p - 1) / problem.p, 0}
        .with_latencies(floor_log2(problem.p));
}

}  // namespace echelon
