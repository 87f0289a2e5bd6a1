// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/buffer.hpp"
#include "fuzz/program.hpp"

#include <memory>
#include <optional>

namespace fuzz {

/// One of a rank's two buffers, in the rank's description.
struct Side {
    Layout layout;
    Map map;
    /// Elements of the layout in a block, and the place of the block, in elements.
    std::vector<int> counts, places;

    std::vector<Block> blocks() const;
};

/// Buffers of rank `rank` of `ranks`. No value: MPI ignores the buffer.
struct Sides {
    std::optional<Side> send, receive;
    bool in_place = false;
};
/// reduce_scatter's counts.
std::vector<int> scatter_counts(const Step& step, int ranks);
Sides sides_of(const Step& step, int rank, int ranks);

/// Fills a buffer with its content before the call: any bytes, and the operands of a reduction in it.
void fill(Buffer& buffer, const Step& step, int repetition, SideOf side, const Side& described, int rank,
          int ranks);

/// Correct receive buffer of a rank after the call, found by folding all ranks' operands in rank order and
/// moving bytes locally. Null: the rank receives nothing.
std::unique_ptr<Buffer> expected(const Step& step, int repetition, int rank, int ranks);

}  // namespace fuzz
