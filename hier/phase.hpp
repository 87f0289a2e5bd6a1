// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "hier/operation.hpp"
#include "hier/recipe.hpp"

#include <string>
#include <vector>

namespace echelon {

struct ShapeRow;

/// A recipe made concrete: for one collective, on one communicator, as one of its ranks sees it.
struct Phase {
    enum class Kind { native, flat, sequence, shape };

    Collective collective;
    Kind kind = Kind::native;
    /// flat
    const Algorithm* algorithm = nullptr;
    int radix = 2;
    std::string schedule = {};
    /// flat, shape
    Bytes segment = 0;
    /// shape
    const ShapeRow* row = nullptr;
    std::optional<Groups> groups = {};
    /// shape, sequence: in the order in which they run.
    std::vector<Phase> parts = {};

    bool uses_native() const;
    /// Some shape cuts its vector: phases run side by side.
    bool pipelined() const;
};

/// Makes a recipe concrete, or says why it cannot serve: throws Error with the reason, on all ranks alike.
///
/// An algorithm's name means the algorithm of that name for whatever collective the phase needs. Where
/// allreduce (barrier) has no such row, it is the reduce and the bcast of that name one after the other;
/// where gather or scatter has none, it is `binomial`. One group, or groups of one rank, leave the flat
/// algorithm. Requires: the same values on all ranks, but `rank`.
Phase resolve(const Recipe& recipe, Collective collective, const Placement& placement, int rank,
              Operation operation);

/// What it does and by what, without parameters: "reduce chain", "allreduce leaders".
std::string title(const Phase& phase);
/// The recipe alone: "chain(seg=32K)".
std::string recipe_text(const Phase& phase);
/// The phases with what each runs, in the recipe's spelling: "leaders(sqrt): reduce chain(seg=32K), allreduce
/// ring, bcast chain(seg=32K)".
std::string to_string(const Phase& phase);

}  // namespace echelon
