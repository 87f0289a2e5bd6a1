// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace echelon {

/// Where others call at the same time, alone and together count alike: of candidates, of which the first is the best alone, goes to
/// the front what takes least in the geometric mean, among those that are faster than native alone: a likeness that tells
/// how long native takes on some ranks tells too little of what it takes beside others. `longer`: how many times as long a
/// recipe takes together as alone; of what is not known as much is believed as of the worst before it.
void best_in_company_first(std::vector<Candidate>& list,
                           const std::function<std::optional<double>(const Recipe&)>& longer);

}  // namespace echelon
