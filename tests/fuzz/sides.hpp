// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/buffer.hpp"
#include "fuzz/program.hpp"

#include <memory>
#include <optional>

namespace fuzz {

/// One of a rank's two buffers, as it describes it.
struct Side {
    Layout layout;
    Map map;
    /// Elements of the layout in a block, and where the block is, in elements.
    std::vector<int> counts, places;

    std::vector<Block> blocks() const;
};

/// What rank `rank` of `ranks` passes. Not there: not looked at by MPI.
struct Sides {
    std::optional<Side> send, receive;
    bool in_place = false;
};
/// reduce_scatter's counts.
std::vector<int> scatter_counts(const Step& step, int ranks);
Sides sides_of(const Step& step, int rank, int ranks);

/// Fills a buffer with what a rank has before the call: any bytes, and the operands of a reduction in it.
void fill(Buffer& buffer, const Step& step, int repetition, SideOf side, const Side& described, int rank,
          int ranks);

/// What a rank's receive buffer must be after the call, found by folding all ranks' operands in rank order
/// and moving bytes here alone. Null: nothing arrives.
std::unique_ptr<Buffer> expected(const Step& step, int repetition, int rank, int ranks);

}  // namespace fuzz
