// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/collective.hpp"
#include "core/cost.hpp"
#include "core/link.hpp"

#include <span>
#include <string_view>

namespace echelon {

/// What an algorithm is asked to do. The same values on all ranks.
struct Args {
    /// The vector, in place: own contribution (reductions) or the root's content (bcast) before, result
    /// after. Where only the root gets a result, the others' vectors are left undefined.
    Slice data;
    /// alltoall: what is sent, p blocks of equal length; nowhere in `data`, which takes what arrives.
    Slice input = {};
    /// reduce_scatter, allgather, gather, scatter: block r of the vector belongs to rank r.
    Blocks blocks;
    int root = 0;
    /// Bytes in a segment; 0: uncut.
    Bytes segment = 0;
    /// Fan-out or radix where the algorithm has one.
    int radix = 2;
    /// Stages of recursive multiplying, in the notation of Ruefenacht et al. 2017; empty: chosen.
    std::string_view schedule = {};
    /// Operands must be combined in rank order. Only algorithms that keep order are asked.
    bool in_order = false;
};

/// What a closed formula depends on.
struct Problem {
    int p = 1;
    /// Bytes of the whole vector.
    Bytes bytes = 0;
    Bytes segment = 0;
    int radix = 2;
    std::string_view schedule = {};
};

/// One row of the catalog: all that selection, tests, help text and documents know about an algorithm.
struct Algorithm {
    using Body = void (*)(Link&, const Args&);
    using Formula = Cost (*)(const Problem&);

    Collective collective;
    /// The one name: file `<collective>_<name>.cpp`, function, recipe, test and bench row.
    std::string_view name;
    Body body;
    Formula cost;
    /// The formula equals a one-ported replay of the schedule for root 0, blocks of equal length and whole
    /// segments; else it is an upper bound, at most twice the replay (where all messages start at once, the
    /// replay may take 1.3 times as long).
    bool exact_cost = true;
    /// Combines operands in rank order if asked to; without it only commutative operations are served.
    bool keeps_order = false;
    /// Which parameters a recipe may give, their default and the least value that makes sense: k=1 is a tree
    /// without end where k is a radix, and one chain where it is a number of chains.
    bool takes_segment = false;
    Bytes default_segment = 0;
    bool takes_radix = false;
    int default_radix = 2;
    int least_radix = 2;
    bool takes_schedule = false;
    /// Serves only operations whose result does not depend on the brackets (integer sums, min, max, logical,
    /// bitwise): ranks may combine the same operands in different brackets.
    bool exact_operations_only = false;
    /// Nobody waits, itself or through others, for a rank that waits for it: whoever hands out goes on at once, and so does who has
    /// given its part away.
    bool one_way = false;
    /// Works in the link's window; where there is none, or an element is longer than a slot, by messages.
    bool in_window = false;
    /// Where it comes from, and what it is good for, in a few words.
    std::string_view source;
    std::string_view best_for;
};

/// All algorithms, by collective.
std::span<const Algorithm> catalog();
/// Those of one collective.
std::span<const Algorithm> catalog(Collective collective);

/// Nullptr if there is no such row.
const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace echelon
