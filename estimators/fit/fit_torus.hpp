// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "groups/torus.hpp"

#include <span>
#include <string>
#include <vector>

namespace echelon {

/// Two nodes, and what a short message takes between them.
struct Distance {
    int from, to;
    Seconds seconds;
};

/// Where in a torus or mesh nodes with these names are: the one of up to four dimensions in which each link between two
/// nodes adds as much to their distance, with `far` links or more somewhere. Nodes are counted along the dimensions, the
/// first one first, as the numbers at the end of their names count, or as they are given. Empty: there is no such one.
std::vector<TorusPosition> fit_torus(std::span<const Distance> distances, std::span<const std::string> names,
                                     int far);

}  // namespace echelon
