// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/fit_for_company.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace echelon {

void fit_for_company(std::vector<Candidate>& list,
                     const std::function<std::optional<double>(const Recipe&)>& longer) {
    const auto native = std::ranges::find_if(list, &Candidate::is_native);
    const auto of_native = native == list.end() ? std::nullopt : longer(native->recipe);
    if (!of_native) return;
    constexpr double as_long = 1.05;
    constexpr std::ptrdiff_t most = 32;  // a replay each
    std::vector<Candidate> fit;
    Seconds alone = 0, least = unlimited;
    std::ptrdiff_t best = 0;
    double longest = *of_native;
    bool any_known = false;
    for (auto one = list.begin(); one != native && one - list.begin() < most; ++one) {
        const bool may_be_best = fit.empty() || one->at_worst() <= as_long * alone;
        // Of others only the first that was measured may be chosen.
        if (!may_be_best && (any_known || !one->is_known)) continue;
        // What is not known of one is what the worst before it shows.
        const double here = longer(one->recipe).value_or(longest);
        longest = std::max(longest, here);
        const Seconds together = here * one->at_worst();
        if (together >= *of_native * native->at_best()) continue;
        if (fit.empty()) alone = one->at_worst();
        if (may_be_best && together < least) {
            least = together;
            best = std::ssize(fit);
        }
        any_known = any_known || one->is_known;
        fit.push_back(std::move(*one));
    }
    if (best > 0) std::rotate(fit.begin(), fit.begin() + best, fit.begin() + best + 1);
    std::move(native, list.end(), std::back_inserter(fit));
    list = std::move(fit);
}

}  // namespace echelon
