// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/best_in_company.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {

void best_in_company_first(std::vector<Candidate>& list,
                           const std::function<std::optional<double>(const Recipe&)>& longer) {
    const auto native = std::ranges::find_if(list, &Candidate::is_native);
    const auto of_native = native == list.end() ? std::nullopt : longer(native->recipe);
    if (!of_native) return;
    constexpr std::ptrdiff_t most = 32;  // a replay each
    auto best = native;
    Seconds least = native->at_best() * std::sqrt(*of_native);
    double longest = *of_native;
    for (auto one = list.begin(); one != native && one - list.begin() < most && one->at_worst() < least;
         ++one) {
        // What is not known of one is what the worst before it shows.
        const double here = longer(one->recipe).value_or(longest);
        longest = std::max(longest, here);
        const Seconds mean = one->at_worst() * std::sqrt(here);
        if (mean < least) {
            least = mean;
            best = one;
        }
    }
    std::rotate(list.begin(), best, best + 1);
}

}  // namespace echelon
