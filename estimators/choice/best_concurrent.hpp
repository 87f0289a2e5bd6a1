// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace echelon {

/// Moves to the front the candidate with the least geometric mean of its time alone and its time beside
/// concurrent communicators. `list` is sorted by the time alone. The moved candidate is faster than native
/// alone: the surrogate of the native collective tells little about native beside concurrent communicators.
/// `longer` returns the ratio of a recipe's time beside concurrent communicators to its time alone; if it is
/// unknown, the greatest ratio of the candidates before it counts.
void best_in_company_first(std::vector<Candidate>& list,
                           const std::function<std::optional<double>(const Recipe&)>& longer);

}  // namespace echelon
