// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/recipe.hpp"

#include <vector>

namespace echelon {

struct NeededDivision;

/// The needs of a recipe on a communicator, united over its ranks. They are found from the recipe and all
/// groups, never from the groups of one rank, and are therefore equal on all ranks. Only they may decide
/// about common steps of the ranks, because a rank of a small group runs less than others.
struct Needs {
    /// True if a rank runs the MPI library's own collective as a phase.
    bool native = false;
    /// True if a rank cuts its vector in a shape.
    bool pipelined = false;
    /// True if a rank works in a window of all ranks.
    bool window = false;
    /// Divisions, with the divisions of their parts.
    std::vector<NeededDivision> divisions;

    /// Unites these needs with others.
    void add(const Needs& other);
    void remove(const Groups& groups);
    /// Number of divisions, at all levels, that `made` lacks.
    int beyond(const Needs& made) const;
    /// True if `made` lacks a window, at any level.
    bool windows_beyond(const Needs& made) const;
    bool divides_by(const Groups& groups) const;
};

/// A division, with the united needs of its groups and of its sets of equal positions.
struct NeededDivision {
    Groups groups;
    Needs inside, across;
};

/// The needs for any root. Equal on all ranks. resolve() tells if the recipe can serve at all.
Needs needs_of(const Recipe& recipe, Collective collective, const Placement& placement);

}  // namespace echelon
