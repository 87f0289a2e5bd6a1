// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/simulator/timeline.hpp"

#include <string>

namespace echelon {

struct Drawing {
    std::string title = {};
    /// Of the whole picture, in pixels; the height follows from the number of ranks.
    int width = 960;
};

/// A timeline as a picture (SVG): one lane per rank, in it what the rank sends above what it receives above
/// what its processor does, and an arrow for each message, from its first byte at the sender to its last at
/// the receiver. In the manner of figures 18 to 23 of Ruefenacht, Bull and Booth 2017.
std::string to_svg(const Timeline& timeline, int p, const Drawing& drawing = {});

}  // namespace echelon
