// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/recipe.hpp"

#include <vector>

namespace echelon {

struct NeededDivision;

/// What a recipe needs of a communicator, on whichever of its ranks: found from the recipe and all groups,
/// never from the groups of one rank. So what is decided by it is decided alike on all ranks, though a rank
/// of a small group runs less than others, and it alone may steer what ranks do together.
struct Needs {
    /// Some rank runs the MPI library's own collective as a phase.
    bool native = false;
    /// Some rank cuts its vector in a shape.
    bool pipelined = false;
    /// Some rank works in a window of all ranks.
    bool window = false;
    /// With those of the parts that they make.
    std::vector<NeededDivision> divisions;

    /// Makes it what both need.
    void add(const Needs& other);
    void remove(const Groups& groups);
    /// Divisions, here and below, that are not among `made`.
    int beyond(const Needs& made) const;
    /// Whether windows, here and below, are not among `made`.
    bool windows_beyond(const Needs& made) const;
    bool divides_by(const Groups& groups) const;
};

/// A division, and what some group, and some set of equal positions, needs.
struct NeededDivision {
    Groups groups;
    Needs inside, across;
};

/// For whichever root. The same on all ranks. Whether the recipe can serve at all says resolve().
Needs needs_of(const Recipe& recipe, Collective collective, const Placement& placement);

}  // namespace echelon
