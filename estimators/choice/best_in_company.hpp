// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace echelon {

/// Where others call at the same time, alone and together count alike: to the front of candidates, of which the first is the best
/// alone, goes the one that takes least in the geometric mean, native perhaps. `longer`: how many times as long a recipe takes
/// together as alone, as far as that is known; not of native: the list stays as it is.
void best_in_company_first(std::vector<Candidate>& list,
                           const std::function<std::optional<double>(const Recipe&)>& longer);

}  // namespace echelon
