// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/collective.hpp"
#include "core/cost.hpp"
#include "core/link.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace echelon {

/// Arguments of an algorithm. Requires: the same values on all ranks.
struct Args {
    /// The vector, worked on in place. Before the call it holds the rank's contribution (reductions) or the
    /// root's content (bcast), afterwards the result. If only the root gets a result, the vectors of the
    /// other ranks are left undefined.
    Slice data;
    /// alltoall: the p blocks of equal length that the rank sends. They must not overlap `data`, which
    /// receives.
    Slice input = {};
    /// reduce_scatter, allgather, gather, scatter: block r of the vector belongs to rank r.
    Blocks blocks;
    /// alltoall of blocks that differ: the blocks of `input`; `blocks` then are those of `data`. A rank knows
    /// only its own: these may differ between ranks, which otherwise all have the same arguments.
    std::optional<Blocks> sent = {};
    int root = 0;
    /// Bytes per segment; 0 means one segment.
    Bytes segment = 0;
    /// Fan-out, radix or window (0: unbounded), for algorithms that have one.
    int radix = 2;
    /// Stages of recursive multiplying in the notation of Ruefenacht et al. 2017; empty means the best ones.
    std::string_view schedule = {};
    /// Operands must be combined in rank order. Requires: the algorithm's row says `keeps_order`.
    bool in_order = false;
};

/// Input of a closed formula.
struct Problem {
    int p = 1;
    /// Bytes of the whole vector.
    Bytes bytes = 0;
    Bytes segment = 0;
    int radix = 2;
    std::string_view schedule = {};
};

/// One row of the catalog. Selection, tests, help text and documents read all facts about an algorithm from
/// it.
struct Algorithm {
    using Body = void (*)(Link&, const Args&);
    using Formula = Cost (*)(const Problem&);

    Collective collective;
    /// Name of the algorithm in its file `<collective>_<name>.cpp`, function, recipe, test and bench row.
    std::string_view name;
    Body body;
    Formula cost;
    /// The formula equals a one-ported replay of the schedule for root 0, blocks of equal length and whole
    /// segments. Otherwise it is an upper bound, at most twice the replay. (If all messages start at once,
    /// the replay may take 1.4 times as long as the formula.)
    bool exact_cost = true;
    /// Combines operands in rank order on request. Without it the row serves commutative operations only.
    bool keeps_order = false;
    /// Parameters that a recipe may give, with their defaults. k = 1 is an endless tree if k is a radix, and
    /// a single chain if k is a number of chains; hence `least_radix`.
    bool takes_segment = false;
    Bytes default_segment = 0;
    bool takes_radix = false;
    int default_radix = 2;
    int least_radix = 2;
    /// The radix in recipes.
    std::string_view radix_name = "k";
    bool takes_schedule = false;
    /// Ranks may combine the same operands with different brackets. The row then serves only operations with
    /// a result independent of brackets: integer sums, min, max, logical, bitwise.
    bool exact_operations_only = false;
    /// No rank waits, directly or through others, for a rank that waits for it. A rank leaves as soon as it
    /// has sent its part.
    bool one_way = false;
    /// gather, scatter, alltoall: no rank forwards blocks. The row serves ranks that know only their own.
    bool own_blocks = false;
    /// Works in the link's window. Without a window, or with elements longer than a slot, it sends messages.
    bool in_window = false;
    /// Origin of the algorithm, and its best use, in a few words.
    std::string_view source;
    std::string_view best_for;
};

/// All algorithms, grouped by collective.
std::span<const Algorithm> catalog();
/// The algorithms of one collective.
std::span<const Algorithm> catalog(Collective collective);

/// Returns nullptr if the catalog has no row of this name.
const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace echelon
