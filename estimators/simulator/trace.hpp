// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/simulator/timeline.hpp"

#include <ostream>
#include <string>

namespace echelon {

/// A timeline in the Trace Event Format of Chrome, which Perfetto and others open, for as many ranks as there
/// are: each rank is a process with the rows out, in and processor, and each message an arrow between two of
/// them.
void write_trace(std::ostream& out, const Timeline& timeline, int p, const std::string& title);

}  // namespace echelon
