// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "groups/torus.hpp"

#include <span>
#include <string>
#include <vector>

namespace echelon {

/// Two nodes, and the time of a short message between them.
struct Distance {
    int from, to;
    Seconds seconds;
};

/// Positions in a torus or mesh of nodes with these names. Each link between two nodes of the chosen torus,
/// of up to four dimensions, adds the same time to their distance, and some pair is `far` or more links
/// apart. Nodes are numbered along the dimensions, the first dimension fastest, by the numbers at the end of
/// their names or in the given order. Returns an empty vector if no torus fits.
std::vector<TorusPosition> fit_torus(std::span<const Distance> distances, std::span<const std::string> names,
                                     int far);

}  // namespace echelon
