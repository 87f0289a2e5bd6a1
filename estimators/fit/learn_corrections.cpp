// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/learn_corrections.hpp"

#include "core/statistics.hpp"
#include "estimators/profile/samples.hpp"
#include "groups/layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace echelon {
namespace {

/// The 80th percentile.
double usual_limit(std::vector<double> values) {
    constexpr double share = 0.8;
    std::ranges::sort(values);
    return quantile(values, share);
}

/// Deviation, in logarithms, of a size's factor from the curve of the other sizes, beyond the error that
/// their distance adds.
double off_where_not_measured(const Correction& correction, const Correction::Point& point) {
    Curve others;
    for (const auto& one : correction.points)
        if (one.bytes != point.bytes) others.add(one.bytes, one.factor, 0);
    const auto found = others.at(point.bytes);
    return std::max(
        0.0, std::abs(std::log(point.factor / found.value)) - found.distance * error_beyond_per_octave);
}

}  // namespace

void learn_corrections(Profile& profile) {
    if (!profile.parameters) return profile.corrections.clear();
    SampleTimes model(profile.parameters->machine);
    learn_corrections(profile, model);
}

void learn_corrections(Profile& profile, SampleTimes& model) {
    const auto before = std::exchange(profile.corrections, {});
    if (!profile.parameters) return;
    struct Logs {
        std::vector<double> of_whole = {}, of_sum = {};
    };
    struct Factors {
        std::map<Bytes, Logs> logs;  // by size
    };
    using Key = std::tuple<Collective, std::string, int, int, int>;
    std::map<Key, Factors> families;
    const auto key_of = [](const Correction& one) {
        return Key{one.collective, one.family, one.p, one.nodes, std::max(one.sites, 1)};
    };
    std::map<Key, const Correction*> learned, kept;
    for (const Correction& one : before) learned.emplace(key_of(one), &one);
    std::map<std::string, Extent> extents;  // by layout
    std::vector<double> of_one_node, of_several;
    for (const Sample& sample : profile.samples) {
        if (sample.recipe.kind == Recipe::Kind::native) continue;
        const auto [layout, is_new] = extents.try_emplace(sample.layout);
        if (is_new) layout->second = extent_of_layout(sample.layout);
        const auto [nodes, sites] = layout->second;
        const Key key{sample.collective, family_of(sample.recipe), sample.p, nodes, sites};
        if (const auto known = learned.find(key);
            known != learned.end() && !model.knows_ranks(sample.layout)) {
            kept.insert(*known);
            continue;
        }
        const auto predicted = model.whole(sample);
        const auto sum = model.sum(sample);
        if (!predicted || !(*predicted > 0) || !sum || !(*sum > 0)) continue;
        const double log = std::log(sample.seconds / *predicted);
        Logs& logs = families[key].logs[sample.bytes];
        logs.of_whole.push_back(log);
        logs.of_sum.push_back(std::log(sample.seconds / *sum));
        (nodes > 1 ? of_several : of_one_node).push_back(std::abs(log));
    }
    for (const auto& [key, factors] : families) {
        const auto& [collective, family, p, nodes, sites] = key;
        Correction made{.collective = collective, .family = family};
        made.p = p;
        made.nodes = nodes;
        made.sites = sites > 1 ? sites : 0;
        std::vector<double> off;
        for (const auto& [bytes, logs] : factors.logs) {
            const double log = median(logs.of_whole);
            made.points.push_back({bytes, std::exp(log), std::exp(median(logs.of_sum))});
            for (const double one : logs.of_whole) off.push_back(std::abs(one - log));
        }
        for (const auto& point : made.points)
            if (made.points.size() > 1) off.push_back(off_where_not_measured(made, point));
        made.spread = usual_limit(std::move(off));
        profile.corrections.push_back(std::move(made));
        kept.erase(key);
    }
    for (const auto& [key, correction] : kept) profile.corrections.push_back(*correction);
    constexpr double least = 0.02;
    if (!of_one_node.empty()) profile.parameters->inside_residual = std::max(least, usual_limit(of_one_node));
    if (const auto& most_telling = of_several.empty() ? of_one_node : of_several; !most_telling.empty())
        profile.parameters->residual = std::max(least, usual_limit(most_telling));
}

}  // namespace echelon
