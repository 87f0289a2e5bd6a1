// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "hier/operation.hpp"
#include "hier/recipe.hpp"

#include <string>
#include <vector>

namespace echelon {

struct ShapeRow;

/// A recipe made concrete for one collective, on one communicator, seen by one of its ranks.
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
    /// True if a shape cuts its vector: phases run side by side.
    bool pipelined() const;
};

/// Makes a recipe concrete. Error: the recipe cannot serve; the reason is the same on all ranks.
///
/// meaning_of() gives the meaning of an algorithm's name. serves_alone() tells if a part of a shape serves
/// alone. Requires: the same values on all ranks, except `rank`.
Phase resolve(const Recipe& recipe, Collective collective, const Placement& placement, int rank,
              Operation operation);

/// The collective and the algorithm without parameters: "reduce chain", "allreduce leaders".
std::string title(const Phase& phase);
/// The recipe alone: "chain(seg=32K)".
std::string recipe_text(const Phase& phase);
/// The phases with their algorithms, in the spelling of recipes: "leaders(sqrt): reduce chain(seg=32K),
/// allreduce ring, bcast chain(seg=32K)".
std::string to_string(const Phase& phase);

}  // namespace echelon
