// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/machine.hpp"
#include "hier/phase.hpp"

#include <optional>

namespace echelon {

/// What a recipe takes on a machine: its recorded schedule, replayed. Without native parts, whose schedule is
/// not known here.
class Replay {
public:
    /// The machine's nodes are taken from the placement.
    Replay(Machine machine, Placement placement);

    /// Nothing where the recipe has native parts or cannot serve the call (resolve() says why).
    std::optional<Seconds> operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                      Operation operation) const;

    const Placement& placement() const { return placement_; }
    const Machine& machine() const { return machine_; }

private:
    Machine machine_;
    Placement placement_;
};

}  // namespace echelon
