// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/simulator/phase_bars.hpp"
#include "estimators/simulator/timeline.hpp"

#include <string>
#include <vector>

namespace echelon {

struct Drawing {
    std::string title = {};
    /// Text under the picture: how the times were obtained, simulated or measured.
    std::string origin = "simulated";
    /// Width of the picture in pixels; the height follows from the number of ranks.
    int width = 960;
    /// Phases, drawn as bands above the activities of their ranks. Nested and pipelined phases stand one
    /// below the other.
    std::vector<PhaseBar> phases = {};
    /// Names of the phases.
    std::vector<PhaseSpans::Name> names = {};
    /// Group of each rank, marked by brackets; empty: no groups.
    std::vector<int> groups = {};
};

/// A timeline as a picture (SVG). Each rank has a lane with its sends above its receives above its
/// processor's work. An arrow leads from the first byte of each message at the sender to its last at the
/// receiver. Phases have a number besides their colour, explained in the legend, which tells them apart in
/// black and white. The picture follows the reader's dark or light colour scheme. The manner is that of
/// figures 18 to 23 of Ruefenacht, Bull and Booth 2017.
std::string to_svg(const Timeline& timeline, int p, const Drawing& drawing = {});

}  // namespace echelon
