// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/simulator/phase_bars.hpp"
#include "estimators/simulator/timeline.hpp"

#include <string>
#include <vector>

namespace echelon {

struct Drawing {
    std::string title = {};
    /// Under the picture: whether times are simulated or measured, and how.
    std::string origin = "simulated";
    /// Of the whole picture, in pixels; the height follows from the number of ranks.
    int width = 960;
    /// Drawn as bands above what their ranks do, one below the other where they are enclosed or pipelined.
    std::vector<PhaseBar> phases = {};
    /// Of the phases.
    std::vector<PhaseSpans::Name> names = {};
    /// By rank, marked by brackets; empty: no groups.
    std::vector<int> groups = {};
};

/// A timeline as a picture (SVG): one lane per rank, in it what the rank sends above what it receives above
/// what its processor does, and an arrow for each message, from its first byte at the sender to its last at
/// the receiver. Phases have a number, which the legend explains, beside their colour, so that they are told apart in black and
/// white. Dark or light as its reader has it. In the manner of figures 18 to 23 of Ruefenacht, Bull and Booth 2017.
std::string to_svg(const Timeline& timeline, int p, const Drawing& drawing = {});

}  // namespace echelon
