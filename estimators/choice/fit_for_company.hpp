// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace echelon {

/// Candidates, the best first, where others call at the same time: what is then slower than native is none to choose from, and
/// of those that take as long alone as the first, but for a twentieth, what takes least together goes first. `longer`: how many
/// times as long a recipe takes together as alone, as far as that is known; not of native: the list stays as it is.
void fit_for_company(std::vector<Candidate>& list,
                     const std::function<std::optional<double>(const Recipe&)>& longer);

}  // namespace echelon
