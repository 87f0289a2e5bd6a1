// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "flat/circular_blocks.hpp"
#include "flat/trees.hpp"

namespace echelon {

/// Blocks of runs on a circle of ranks. Number v stands for the rank v places after `first`.
class TurnedBlocks {
public:
    TurnedBlocks(const Blocks& blocks, int p, int first) : blocks_(blocks, p), turn_(first, p) {}

    int number(int rank) const { return turn_.virtual_rank(rank); }
    int rank(int number) const { return turn_.rank(number); }
    CircularBlocks::Range of(const RankRun& run) const {
        return blocks_.range(turn_.rank(run.first), run.length());
    }
    /// Position of the blocks of a run in a copy of the blocks of a longer run.
    Slice in_copy(const Slice& copy, const RankRun& whole, const RankRun& run) const {
        return copy.part(of({whole.first, run.first}).count(), of(run).count());
    }

private:
    CircularBlocks blocks_;
    Rotation turn_;
};

// Gathers and scatters on a tree whose subtrees are runs of numbers. A rank copies the blocks of its subtree
// into one message. The rank of number 0 is `first`.

/// Gathers block r of `args.blocks` from every rank r to the tree's root, smallest subtrees first.
template <class Tree>
void gather_on_subtrees(Link& link, const Args& args, const Tree& tree, int first) {
    const TurnedBlocks blocks(args.blocks, link.size(), first);
    const int me = blocks.number(link.rank()), children = tree.children(me);
    if (me == tree.root()) {
        for (int c = 0; c < children; ++c) {
            const int child = tree.child(me, c).rank;
            const auto range = blocks.of(tree.run(child));
            Scratch scratch(link);
            const Slice received = range.in_one_piece() ? range.piece() : scratch(range.count());
            link.receive(blocks.rank(child), received);
            if (!range.in_one_piece()) spread(link, range, received);
        }
        return;
    }
    Scratch scratch(link);
    const RankRun whole = tree.run(me);
    const Slice own = args.blocks[link.rank()],
                subtree = children == 0 ? own : scratch(blocks.of(whole).count());
    if (children > 0) link.copy(blocks.in_copy(subtree, whole, {me, me + 1}), own);
    for (int c = 0; c < children; ++c) {
        const int child = tree.child(me, c).rank;
        link.receive(blocks.rank(child), blocks.in_copy(subtree, whole, tree.run(child)));
    }
    link.send(blocks.rank(tree.parent(me)), subtree);
}

/// Scatters block r of `args.blocks` from the tree's root to every rank r, largest subtrees first.
template <class Tree>
void scatter_on_subtrees(Link& link, const Args& args, const Tree& tree, int first) {
    const TurnedBlocks blocks(args.blocks, link.size(), first);
    const int me = blocks.number(link.rank()), children = tree.children(me);
    if (me == tree.root()) {
        for (int c = children - 1; c >= 0; --c) {
            const int child = tree.child(me, c).rank;
            Scratch scratch(link);
            link.send(blocks.rank(child), joined(link, scratch, blocks.of(tree.run(child))));
        }
        return;
    }
    Scratch scratch(link);
    const RankRun whole = tree.run(me);
    const Slice own = args.blocks[link.rank()],
                subtree = children == 0 ? own : scratch(blocks.of(whole).count());
    link.receive(blocks.rank(tree.parent(me)), subtree);
    for (int c = children - 1; c >= 0; --c) {
        const int child = tree.child(me, c).rank;
        link.send(blocks.rank(child), blocks.in_copy(subtree, whole, tree.run(child)));
    }
    if (children > 0) link.copy(own, blocks.in_copy(subtree, whole, {me, me + 1}));
}

}  // namespace echelon
