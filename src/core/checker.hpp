// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/collective.hpp"
#include "core/program.hpp"

#include <string>
#include <vector>

namespace echelon {

/// The result that a schedule claims to compute.
struct Claim {
    Collective collective;
    /// Elements of the vector. In reduce_scatter, allgather, gather and scatter rank r owns block r of
    /// `blocks` parts (0: of p parts). In alltoall both `input` and `data` consist of p equal blocks.
    std::size_t count = 0;
    int root = 0;
    int blocks = 0;
    /// The starts of the blocks and the end of the last one, if these are not `blocks` equal parts.
    std::vector<std::size_t> starts = {};
    /// alltoall of blocks that differ: number i * p + j is the length of the block from rank i to rank j.
    std::vector<std::size_t> lengths = {};
    /// Operands are combined in rank order, which operations that do not commute need.
    bool in_order = false;
    /// All ranks that get an element get it with the same brackets, hence with the same bits.
    bool same_bits = true;
};

/// The outcome of a proof; an empty reason means proved.
struct Verdict {
    std::string reason;
    explicit operator bool() const { return reason.empty(); }
};

/// Replays a schedule with symbols instead of numbers. Returns a proof or a sentence that names the fault. It
/// checks that
///  - every rank ends with the result of the collective: each contribution exactly once, in rank order and
///    with the same brackets if claimed;
///  - the schedule ends even if every send waits for its receive, and no message is left over;
///  - a send and its receive name the same number of elements;
///  - no step touches elements of a communication that is under way;
///  - all this holds whether the first or the last strand of a rank runs ahead.
Verdict check(const Schedule& schedule, const Claim& claim);

}  // namespace echelon
