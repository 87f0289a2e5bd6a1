// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/call_class.hpp"
#include "tuner/decision_line.hpp"

#include <string>
#include <vector>

namespace echelon {

/// Rank 0's decisions for common sizes, in as few lines as possible. A line covers consecutive sizes with one
/// decision, each at most twice the size before it. A native decision has a line only if it begins between
/// two powers of two; the other native sizes are marked as undecided. A decision for rounding operations also
/// covers exact operations without lines of their own. Requires: every message has a decision.
std::string lines_of(std::vector<DecisionMessage> all, const CallClasses& classes);

}  // namespace echelon
