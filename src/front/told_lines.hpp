// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/call_class.hpp"
#include "front/told_line.hpp"

#include <string>
#include <vector>

namespace echelon {

/// What rank 0 says of usual calls, in as few lines as say it: one for all sizes with the same choice, each at most twice as large as the one
/// before. Of native only where another choice ends between two powers of two: else its calls are among those without an answer. What
/// holds for operations that round holds for exact ones, too, of which nothing else is said. Requires: each is decided.
std::string lines_of(std::vector<Told> all, const CallClasses& classes);

}  // namespace echelon
