// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/family_factors.hpp"

#include "core/statistics.hpp"

#include <cmath>
#include <set>
#include <vector>

namespace echelon {
namespace {

/// Factor that fades to 1 with the distance beyond the measured sizes: corrections of short messages say
/// little about long ones.
double faded(const Curve::Value& found) {
    constexpr double half = 4;
    return found.inside ? found.value : std::pow(found.value, half / (half + found.distance));
}

}  // namespace

FamilyFactors::FamilyFactors(const Profile& profile, const Placement& placement) {
    const int p = placement.size();
    const auto distance = [&](const Correction& one) { return one.p == 0 ? 0 : octaves(one.p, p); };
    const auto is_few = [&](const Correction& one) {
        constexpr int few = 4;
        return one.p != 0 && one.p <= few && p > few;
    };
    const auto is_alike = [&](const Correction& one) {
        constexpr double alike = 0.5;
        if ((one.sites > 1) != (placement.site_count() > 1)) return false;
        return one.nodes == 0 || one.p == 0 ||
               octaves(double(one.p) / one.nodes, double(p) / placement.node_count()) <= alike;
    };
    std::set<Collective> known_of_many;
    for (const Correction& one : profile.corrections)
        if (is_alike(one) && !is_few(one)) known_of_many.insert(one.collective);
    std::map<std::pair<Collective, std::string>, const Correction*> nearest;
    for (const Correction& one : profile.corrections) {
        if (one.points.empty() || !is_alike(one)) continue;
        // Among few ranks recipes hardly differ, and each has only a step or two.
        if (is_few(one) && known_of_many.contains(one.collective)) continue;
        const Correction*& known = nearest[{one.collective, one.family}];
        if (known == nullptr || distance(one) < distance(*known)) known = &one;
    }
    std::map<std::pair<Collective, Word>, std::map<Bytes, std::vector<double>>> of_all;
    for (const auto& [name, correction] : nearest) {
        Family& family = families_[name];
        for (const auto& [bytes, factor, of_sum] : correction->points)
            for (const auto& [word, one] : {std::pair(Word::whole, factor), {Word::sum, of_sum}}) {
                family.factors[std::size_t(word)].add(bytes, one, correction->spread);
                of_all[{name.first, word}][bytes].push_back(one);
            }
        family.octaves = distance(*correction);
        // Contention among many ranks does not occur among few ranks; costs among few ranks also occur among
        // many.
        if (correction->p > p) family.own = 1 / (1 + 2 * family.octaves);
    }
    for (auto& [of, sizes] : of_all)
        for (auto& [bytes, all] : sizes) {
            all.push_back(1);  // the model itself counts as one family
            usual_[of.first][std::size_t(of.second)].add(bytes, median(all), 0);
        }
}

std::optional<FamilyFactors::Factor> FamilyFactors::operator()(Collective collective, const Recipe& recipe,
                                                               Bytes bytes, Word of) const {
    const auto usual = usual_.find(collective);
    if (usual == usual_.end()) return std::nullopt;
    const double of_all = faded(usual->second[std::size_t(of)].at(bytes));
    const auto known = families_.find({collective, family_of(recipe)});
    if (known == families_.end()) return Factor{of_all};
    const Family& family = known->second;
    const auto found = family.factors[std::size_t(of)].at(bytes);
    constexpr double least = 0.02;
    return Factor{std::pow(faded(found), family.own) * std::pow(of_all, 1 - family.own),
                  found.spread + least + (found.distance + family.octaves) * error_beyond_per_octave};
}

}  // namespace echelon
