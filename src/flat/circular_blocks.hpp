// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/link.hpp"
#include "core/ranks.hpp"

#include <array>
#include <vector>

namespace echelon {

/// The blocks of p ranks on a circle. A range of blocks is one run of the vector, or two runs if it passes
/// the end.
class CircularBlocks {
public:
    CircularBlocks(const Blocks& blocks, int p) : blocks_(blocks), p_(p) {}

    struct Range {
        std::array<Slice, 2> runs;
        std::size_t count() const { return runs[0].count + runs[1].count; }
        bool in_one_piece() const { return runs[0].empty() || runs[1].empty(); }
        /// The elements of both runs. Requires: in_one_piece().
        Slice piece() const { return runs[0].empty() ? runs[1] : runs[0]; }
    };

    /// Blocks first, first + 1, .., `length` of them. Requires: first < 2p, length <= p.
    Range range(int first, int length) const {
        const int from = wrap(first, p_), around = std::max(from + length - p_, 0);
        return {{blocks_.range(from, from + length - around), blocks_.range(0, around)}};
    }

private:
    Blocks blocks_;
    int p_;
};

/// A range as one message: itself, or a copy if it is in two pieces.
inline Slice joined(Link& link, Scratch& scratch, const CircularBlocks::Range& range) {
    if (range.in_one_piece()) return range.piece();
    const Slice copy = scratch(range.count());
    link.copy(copy.part(0, range.runs[0].count), range.runs[0]);
    link.copy(copy.part(range.runs[0].count, range.runs[1].count), range.runs[1]);
    return copy;
}

/// Copies a message that was received as one piece to the runs of a range.
inline void spread(Link& link, const CircularBlocks::Range& range, Slice message) {
    link.copy(range.runs[0], message.part(0, range.runs[0].count));
    link.copy(range.runs[1], message.part(range.runs[0].count, range.runs[1].count));
}

/// The skips of a circulant graph: p, ceil(p/2), ceil(p/4), .., 1. Each is the number of blocks that a rank
/// still works on (Traeff 2024).
inline std::vector<int> circulant_skips(int p) {
    std::vector<int> skips{p};
    while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
    return skips;
}

}  // namespace echelon
