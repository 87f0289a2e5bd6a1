// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/circular_blocks.hpp"

#include <algorithm>
#include <bit>

namespace echelon {

/// Blocks held by each rank in a binomial gather (or, backwards, scatter). Virtual rank v collects the blocks
/// of its subtree, virtual ranks v .. v + width - 1; width is the lowest bit of v.
class BinomialBlocks {
public:
    BinomialBlocks(const Blocks& blocks, int p, int root, int rank)
        : blocks_(blocks, p), rotation_(root, p), p_(p), me_(rotation_.virtual_rank(rank)) {}

    bool is_root() const { return me_ == 0; }
    /// Ranks in a full subtree: a power of two, for the root the smallest one that is at least p.
    int width() const { return is_root() ? 1 << ceil_log2(p_) : me_ & -me_; }
    int parent() const { return rotation_.rank(me_ - width()); }
    /// True if the rank has a child with a subtree of `child_width` ranks.
    bool has_child(int child_width) const { return me_ + child_width < p_; }
    int child(int child_width) const { return rotation_.rank(me_ + child_width); }

    /// The blocks of a child's subtree, and of the whole subtree.
    CircularBlocks::Range of_child(int child_width) const { return range(me_ + child_width, child_width); }
    CircularBlocks::Range of_subtree() const { return range(me_, width()); }
    /// Position of a child's blocks in a copy of the whole subtree.
    Slice of_child_in(const Slice& copy, int child_width) const {
        return copy.part(range(me_, child_width).count(), of_child(child_width).count());
    }

private:
    CircularBlocks::Range range(int from, int length) const {
        return blocks_.range(rotation_.rank(from), std::min(length, p_ - from));
    }

    CircularBlocks blocks_;
    Rotation rotation_;
    int p_;
    int me_;
};

}  // namespace echelon
