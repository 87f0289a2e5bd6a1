// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/best_concurrent.hpp"

#include "estimators/network/machine.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {

void best_in_company_first(std::vector<Candidate>& list,
                           const std::function<std::optional<double>(const Recipe&)>& longer) {
    constexpr std::size_t most = 32;  // each costs a replay
    const auto native = std::ranges::find_if(list, &Candidate::is_native);
    const Seconds alone = native == list.end() ? unlimited : native->at_best();
    std::size_t best = 0;
    Seconds least = unlimited;
    double longest = 1;
    for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
        const Candidate& one = list[i];
        if (one.at_worst() >= std::min(alone, least)) break;
        const double here = longer(one.recipe).value_or(longest);
        longest = std::max(longest, here);
        if (const Seconds mean = one.at_worst() * std::sqrt(here); mean < least) {
            least = mean;
            best = i;
        }
    }
    if (best > 0)
        std::rotate(list.begin(), list.begin() + std::ptrdiff_t(best),
                    list.begin() + std::ptrdiff_t(best) + 1);
}

}  // namespace echelon
