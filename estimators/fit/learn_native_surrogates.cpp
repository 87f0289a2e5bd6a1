// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/learn_native_surrogates.hpp"

#include "estimators/price/native_surrogate.hpp"
#include "hier/phase.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace echelon {
namespace {

/// Replays of more segments take long and tell no more: each further segment takes as long as the one before.
constexpr Bytes most_segments = 512;

/// Recipes that libraries use: rows of the catalog with usual segments, and leaders of nodes. Segments that
/// do not cut the vector are left out.
std::vector<Recipe> usual_of_libraries(Collective collective, Bytes bytes, bool shares_nodes) {
    std::vector<Recipe> whole, cut, shapes;
    for (const Algorithm& row : catalog(collective)) {
        if (row.in_window) continue;
        const Recipe plain{.kind = Recipe::Kind::flat, .name = std::string(row.name)};
        whole.push_back(plain);
        if (!row.takes_segment) continue;
        if (row.default_segment > 0) whole.back().segment = 0;
        for (const Bytes kilobytes : {1, 8, 32, 128})
            if (const Bytes segment = kilobytes << 10; segment < bytes && bytes <= most_segments * segment) {
                cut.push_back(plain);
                cut.back().segment = segment;
            }
    }
    if (shares_nodes)
        for (const char* const inside : {"binomial", "flat_tree", "linear"})
            for (const Recipe& across : whole)
                shapes.push_back({.kind = Recipe::Kind::leaders,
                                  .groups = Groups::node(),
                                  .parts = {{.kind = Recipe::Kind::flat, .name = inside}, across}});
    for (std::vector<Recipe>* const more : {&cut, &shapes})
        std::ranges::move(*more, std::back_inserter(whole));
    return whole;
}

Likeness& series_of(const Sample& sample, const Recipe& recipe, Profile& profile) {
    const auto known = std::ranges::find_if(profile.likenesses, [&](const Likeness& one) {
        return one.collective == sample.collective && one.p == sample.p && one.layout == sample.layout &&
               one.recipe == recipe;
    });
    if (known != profile.likenesses.end()) return *known;
    return profile.likenesses.emplace_back(Likeness{sample.collective, sample.p, sample.layout, recipe});
}

}  // namespace

void learn_likenesses(Profile& profile) {
    if (!profile.parameters) return profile.likenesses.clear();
    SampleTimes model(profile.parameters->machine);
    learn_likenesses(profile, model);
}

void learn_likenesses(Profile& profile, SampleTimes& model) {
    constexpr std::size_t kept = 6, most_messages = 2'000'000;
    std::erase_if(profile.likenesses, [&](const Likeness& one) { return model.knows_ranks(one.layout); });
    if (!profile.parameters) return;
    std::vector<Sample> natives;
    for (const Sample& one : profile.samples)
        if (one.recipe.kind == Recipe::Kind::native && model.knows_ranks(one.layout) &&
            extent_of_layout(one.layout).nodes > 1)
            natives.push_back(one);
    std::ranges::stable_sort(natives, {}, &Sample::p);  // the more ranks, the more messages
    for (const Sample& sample : natives) {
        if (model.messages() > most_messages) break;
        const bool shares_nodes = extent_of_layout(sample.layout).nodes < sample.p;
        std::vector<std::pair<double, Recipe>> alike;  // by the logarithm of their share
        for (Recipe& recipe : usual_of_libraries(sample.collective, sample.bytes, shares_nodes)) {
            Sample other = sample;
            other.recipe = recipe;
            const auto replayed = model.whole(other);
            if (!replayed || !(*replayed > 0)) continue;
            const double log = std::log(sample.seconds / *replayed);
            if (std::abs(log) < least_alike) alike.emplace_back(log, std::move(recipe));
        }
        std::ranges::stable_sort(alike, {}, [](const auto& one) { return std::abs(one.first); });
        alike.resize(std::min(alike.size(), kept));
        for (const auto& [log, recipe] : alike)
            series_of(sample, recipe, profile).points.push_back({sample.bytes, std::exp(log)});
    }
    const auto is_said_twice = [](const Likeness::Point& one, const Likeness::Point& next) {
        return one.bytes == next.bytes;
    };
    for (Likeness& one : profile.likenesses) {
        std::ranges::stable_sort(one.points, {}, &Likeness::Point::bytes);
        one.points.erase(std::unique(one.points.begin(), one.points.end(), is_said_twice), one.points.end());
    }
}

}  // namespace echelon
