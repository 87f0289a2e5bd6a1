// SPDX-License-Identifier: Apache-2.0
#include "measure/proposals.hpp"

#include "core/error.hpp"
#include "estimators/choice/neighbours.hpp"
#include "groups/ways.hpp"
#include "hier/phase.hpp"
#include "measure/trainer.hpp"
#include "mpi/clock.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace echelon {
namespace {

/// Limits of the proposals.
struct Bounds {
    /// Most neighbours of the fastest recipe; fewer at sizes between others, which use the results beside
    /// them.
    std::size_t neighbours = 3, neighbours_between = 1;

    /// Most recipes measured again, and their greatest time relative to the best: slower recipes will hardly
    /// turn out to be the fastest. With fewer than `fewest_finalists` none is measured again, unless the
    /// spread of the fastest exceeds `hardly_known`.
    double finalists = 6, finalist = 1.2;
    std::size_t fewest_finalists = 3;
    double hardly_known = 0.1;

    /// Least number of ranks that can be divided into groups of two.
    int divisible = 4;
};
constexpr Bounds bounds;

std::vector<Proposed> proposed(std::vector<Candidate> candidates) {
    std::vector<Proposed> list;
    for (Candidate& one : candidates) {
        const bool was_replayed = one.is_final && !one.recipe.has_native_parts();
        list.push_back({std::move(one.recipe), was_replayed ? one.predicted : 0});
    }
    return list;
}

}  // namespace

std::vector<Proposed> Proposals::shortlist(std::size_t most) const {
    return proposed(decider().shortlist(collective_, bytes_, Trainer::operation(), most));
}

std::vector<Recipe> Proposals::seeds() const {
    if (placement_.size() < bounds.divisible) return {};
    const int nodes = placement_.node_count();
    const Groups groups = nodes > 1 && nodes < placement_.size()
                              ? Groups::node()
                              : Groups::count(sqrt_group_count(placement_.size()));
    std::vector<Recipe> list;
    for (const Recipe::Kind shape : {Recipe::Kind::leaders, Recipe::Kind::lanes}) {
        Recipe seed{.kind = shape, .groups = groups, .parts = {Recipe(), Recipe()}};
        if (can_serve(seed)) list.push_back(std::move(seed));
    }
    return list;
}

bool Proposals::can_serve(const Recipe& recipe) const {
    try {
        (void)resolve(recipe, collective_, placement_, 0, Trainer::operation());
        return true;
    } catch (const Error&) {
        return false;
    }
}

bool Proposals::was_measured(const Recipe& recipe) const {
    return std::any_of(profile_.samples.begin(), profile_.samples.end(),
                       [&](const Sample& one) { return is_here(one) && one.recipe == recipe; });
}

std::vector<Proposed> Proposals::promising(std::size_t most, Seconds limit) const {
    if (!profile_.parameters) return {};
    auto ranked = decider().decide(collective_, bytes_, Trainer::operation()).ranked;
    std::erase_if(ranked, [&](const Candidate& one) {
        return one.recipe.kind == Recipe::Kind::native || (limit > 0 && one.expected >= limit) ||
               was_measured(one.recipe);
    });
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Candidate& a, const Candidate& b) { return a.expected < b.expected; });
    const auto kept = ranked.begin() + std::ptrdiff_t(std::min(most, ranked.size()));
    const auto priced =
        std::ranges::find_if(ranked, [](const Candidate& one) { return !one.recipe.has_native_parts(); });
    if (kept != ranked.begin() && priced >= kept && priced != ranked.end()) std::iter_swap(kept - 1, priced);
    ranked.erase(kept, ranked.end());
    return proposed(std::move(ranked));
}

const Sample* Proposals::fastest_at(Bytes bytes) const {
    const Sample* fastest = nullptr;
    for (const Sample& one : profile_.samples)
        if (is_like_here(one) && one.bytes == bytes && one.recipe.kind != Recipe::Kind::native &&
            (fastest == nullptr || one.seconds < fastest->seconds))
            fastest = &one;
    return fastest;
}

std::vector<Recipe> Proposals::fastest_beside() const {
    std::set<Bytes> sizes;
    for (const Sample& one : profile_.samples)
        if (is_like_here(one) && one.bytes != bytes_) sizes.insert(one.bytes);
    std::vector<Recipe> list;
    const auto add = [&](Bytes size) {
        const Sample* const fastest = fastest_at(size);
        if (fastest != nullptr && !was_measured(fastest->recipe)) list.push_back(fastest->recipe);
    };
    const auto longer = sizes.upper_bound(bytes_);
    if (longer != sizes.begin()) add(*std::prev(longer));
    if (longer != sizes.end()) add(*longer);
    return list;
}

std::vector<Recipe> Proposals::around_the_best(bool between, double deadline) const {
    const Sample* const fastest = fastest_at(bytes_);
    if (fastest == nullptr) return {};
    auto around = neighbours(fastest->recipe, collective_, placement_, Trainer::operation());
    std::erase_if(around, [&](const Recipe& one) { return was_measured(one); });
    Decider here = decider();
    std::vector<std::pair<Seconds, Recipe>> by_time;
    for (Recipe& one : around) {
        if (deadline > 0 && now() > deadline) break;
        const Seconds time = here.expected(one, collective_, bytes_, Trainer::operation());
        by_time.emplace_back(time, std::move(one));
    }
    // Recipes with native parts have no price and go first.
    std::stable_sort(by_time.begin(), by_time.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    by_time.resize(std::min(by_time.size(), between ? bounds.neighbours_between : bounds.neighbours));
    std::vector<Recipe> list;
    for (auto& [time, one] : by_time) list.push_back(std::move(one));
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
