// SPDX-License-Identifier: Apache-2.0
#include "measure/proposals.hpp"

#include "core/error.hpp"
#include "estimators/choice/neighbours.hpp"
#include "groups/ways.hpp"
#include "hier/phase.hpp"
#include "hier/shapes.hpp"
#include "measure/trainer.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace echelon {
namespace {

/// How far a look goes.
struct Bounds {
    /// Neighbours are looked at of the fastest of so many classes, if they take no more than so many times the best: the
    /// optimum of another class can lie beside what is slower. So many each; fewer at sizes between others, which know theirs.
    std::size_t classes = 3;
    double near = 1.6;
    std::size_t neighbours = 8, neighbours_between = 4;

    /// Measured again are so many of those that take less than so many times the best: who is further behind will hardly
    /// turn out to be the fastest. Nobody is, where there are not so many to be compared, unless the fastest itself is known no better than so.
    double finalists = 6, finalist = 1.2;
    std::size_t fewest_finalists = 3;
    double hardly_known = 0.1;

    /// Ranks that can be divided into groups of two.
    int divisible = 4;
};
constexpr Bounds bounds;

}  // namespace

std::vector<Recipe> Proposals::shortlist(std::size_t most) const {
    std::vector<Recipe> list;
    for (const Candidate& one : decider().shortlist(collective_, bytes_, Trainer::operation(), most))
        list.push_back(one.recipe);
    return list;
}

void Proposals::add_seeds(std::vector<Recipe>& list) const {
    const int nodes = placement_.node_count();
    if (placement_.size() < bounds.divisible) return;
    std::vector<Groups> divisions{Groups::count(sqrt_group_count(placement_.size()))};
    if (nodes > 1 && nodes < placement_.size()) divisions.push_back(Groups::node());
    for (const Groups& groups : divisions)
        for (const ShapeName& shape : shape_names)
            for (const char* const part : {"native", "flat_tree"}) add_seed(list, shape.kind, groups, part);
    // Halves, where the library is good at large communicators.
    for (const ShapeName& shape : shape_names) add_seed(list, shape.kind, Groups::count(2), "native");
}

void Proposals::add_seed(std::vector<Recipe>& list, Recipe::Kind shape, const Groups& groups,
                         const char* part) const {
    const Recipe seed{.kind = shape, .groups = groups, .parts = {Recipe::parse(part), Recipe::parse(part)}};
    try {
        (void)resolve(seed, collective_, placement_, 0, Trainer::operation());
    } catch (const Error&) {
        return;  // it cannot serve
    }
    if (std::find(list.begin(), list.end(), seed) == list.end()) list.push_back(seed);
}

bool Proposals::was_measured(const Recipe& recipe) const {
    return std::any_of(profile_.samples.begin(), profile_.samples.end(),
                       [&](const Sample& one) { return is_here(one) && one.recipe == recipe; });
}
std::vector<Recipe> Proposals::promising(std::size_t most, Seconds limit) const {
    if (!profile_.parameters) return {};
    auto ranked = decider().decide(collective_, bytes_, Trainer::operation()).ranked;
    std::erase_if(ranked, [&](const Candidate& one) {
        return one.recipe.kind == Recipe::Kind::native || (limit > 0 && one.expected >= limit) ||
               was_measured(one.recipe);
    });
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Candidate& a, const Candidate& b) { return a.expected < b.expected; });
    std::vector<Recipe> list;
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) list.push_back(ranked[i].recipe);
    return list;
}

std::vector<Recipe> Proposals::around_the_best(Seconds best, bool between) const {
    const std::size_t most_each = between ? bounds.neighbours_between : bounds.neighbours;
    std::vector<const Sample*> here;
    for (const Sample& one : profile_.samples)
        if (is_here(one) && one.recipe.kind != Recipe::Kind::native && one.seconds <= bounds.near * best)
            here.push_back(&one);
    std::stable_sort(here.begin(), here.end(),
                     [](const auto* a, const auto* b) { return a->seconds < b->seconds; });
    std::vector<std::string_view> seen;
    std::vector<Recipe> list;
    Decider here_now = decider();
    for (const Sample* const base : here) {
        const auto of = class_of(base->recipe);
        if (seen.size() == bounds.classes || std::find(seen.begin(), seen.end(), of) != seen.end()) continue;
        seen.push_back(of);
        auto around = neighbours(base->recipe, collective_, placement_, Trainer::operation());
        std::erase_if(around, [&](const Recipe& one) {
            return was_measured(one) || std::find(list.begin(), list.end(), one) != list.end();
        });
        std::vector<std::pair<Seconds, Recipe>> by_time;
        for (Recipe& one : around) {
            const Seconds time = here_now.expected(one, collective_, bytes_, Trainer::operation());
            by_time.emplace_back(time, std::move(one));
        }
        std::stable_sort(by_time.begin(), by_time.end(),
                         [](const auto& x, const auto& y) { return x.first < y.first; });
        // What has native parts has no model: it goes first.
        by_time.resize(std::min(by_time.size(), most_each));
        for (auto& [time, one] : by_time) list.push_back(std::move(one));
    }
    return list;
}

std::vector<Recipe> Proposals::fastest(const std::function<double(Seconds)>& affordable) const {
    std::vector<const Sample*> here;
    for (const Sample& one : profile_.samples)
        if (is_here(one)) here.push_back(&one);
    std::stable_sort(here.begin(), here.end(),
                     [](const auto* a, const auto* b) { return a->seconds < b->seconds; });
    if (here.empty() || here.front()->spread == 0) return {};
    const double most = std::min(bounds.finalists, affordable(here.front()->seconds));
    std::vector<Recipe> list;
    for (const Sample* const one : here)
        if (one->recipe.kind == Recipe::Kind::native ||
            (double(list.size()) < most && one->seconds < bounds.finalist * here.front()->seconds))
            list.push_back(one->recipe);
    const bool any = list.size() >= bounds.fewest_finalists || here.front()->spread > bounds.hardly_known;
    return any ? list : std::vector<Recipe>();
}

}  // namespace echelon
