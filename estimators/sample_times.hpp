// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile.hpp"
#include "estimators/recipe_time.hpp"

#include <map>
#include <memory>

namespace echelon {

/// What a machine's model says of measured calls, each on the layout that it was measured on. The machine must
/// outlive it. Not for several threads.
class SampleTimes {
public:
    explicit SampleTimes(const Machine& machine) : machine_(machine) {}

    /// Nullopt for what has native parts, cannot serve, or names no layout: samples may come from a file.
    std::optional<Seconds> operator()(const Sample& sample);

private:
    struct Layout {
        Layout(const Machine& machine, const std::string& layout)
            : Layout(machine, placement_of_layout(layout)) {}
        Layout(const Machine& machine, const Placement& placement)
            : seats(seated(machine, placement)), terrain(placement), times(seats, terrain) {}
        Machine seats;
        Terrain terrain;
        RecipeTimes times;
    };

    const Machine& machine_;
    std::map<std::string, std::unique_ptr<Layout>> layouts_;
};

}  // namespace echelon
