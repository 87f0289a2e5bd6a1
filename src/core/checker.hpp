// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/collective.hpp"
#include "core/program.hpp"

#include <string>

namespace echelon {

/// What a schedule claims to be.
struct Claim {
    Collective collective;
    /// Elements of the vector. Where ranks own blocks (reduce_scatter, allgather, gather, scatter) block r of
    /// `blocks` parts (0: p) belongs to rank r; for alltoall the vector is p equal blocks of both `input` and
    /// `data`.
    std::size_t count = 0;
    int root = 0;
    int blocks = 0;
    /// Operands combined in rank order: fit for operations that do not commute.
    bool in_order = false;
    /// All ranks that get an element get it with the same brackets: the same bits.
    bool same_bits = true;
};

/// The outcome of a proof: an empty reason means proved.
struct Verdict {
    std::string reason;
    explicit operator bool() const { return reason.empty(); }
};

/// Replays a schedule with symbols instead of numbers and proves, or says in a sentence what is wrong:
///  - every rank ends with what the collective promises: each contribution exactly once, in rank order and
///    with the same brackets where claimed;
///  - it ends even if every send waits for its receive, and no message is left over;
///  - a send and its receive name the same number of elements;
///  - no elements are touched while a communication on them is under way;
///  - all this whether the first or the last strand of a rank goes ahead.
Verdict check(const Schedule& schedule, const Claim& claim);

}  // namespace echelon
