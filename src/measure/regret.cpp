// SPDX-License-Identifier: Apache-2.0
#include "measure/regret.hpp"

#include "core/statistics.hpp"

#include <algorithm>

namespace echelon {
namespace {

RegretSummary summary_of(std::vector<double> regrets, double worst_against_native) {
    RegretSummary summary{.worst_against_native = worst_against_native};
    for (const double one : regrets) summary.mean += one / double(regrets.size());
    std::sort(regrets.begin(), regrets.end());
    summary.p95 = quantile(regrets, 0.95);
    summary.max = regrets.back();
    return summary;
}

}  // namespace

RegretSummary summary_of(const std::vector<RegretCell>& cells) {
    std::vector<double> regrets;
    double worst = cells.front().against_native();
    for (const RegretCell& cell : cells) {
        regrets.push_back(cell.regret());
        worst = std::max(worst, cell.against_native());
    }
    return summary_of(std::move(regrets), worst);
}

std::vector<std::pair<std::string, std::vector<RegretCell>>> by_part(const std::vector<RegretCell>& cells) {
    std::vector<std::pair<std::string, std::vector<RegretCell>>> parts;
    for (const RegretCell& cell : cells) {
        if (parts.empty() || parts.back().first != cell.part) parts.push_back({cell.part, {}});
        parts.back().second.push_back(cell);
    }
    return parts;
}

RegretSummary summary_of(const std::vector<RegretCell>& cells, const std::string& other) {
    std::vector<double> regrets;
    double worst = -1;
    for (const RegretCell& cell : cells)
        for (const auto& [name, recipe, seconds] : cell.others)
            if (name == other && seconds > 0) {
                regrets.push_back(seconds / cell.best_seconds - 1);
                worst = std::max(worst, seconds / cell.native_seconds - 1);
            }
    return regrets.empty() ? RegretSummary() : summary_of(std::move(regrets), worst);
}

}  // namespace echelon
