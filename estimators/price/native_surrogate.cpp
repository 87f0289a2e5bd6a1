// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/native_surrogate.hpp"

#include "estimators/profile/samples.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace echelon {

Likenesses::Likenesses(const Profile& profile) {
    if (profile.likenesses.empty()) return;
    const auto place = [&](const auto& one, Bytes bytes) -> Place& {
        const int nodes = extent_of_layout(one.layout).nodes;
        auto& places = places_[one.collective][bytes];
        const auto known = std::ranges::find_if(
            places, [&](const Place& other) { return other.p == one.p && other.nodes == nodes; });
        return known != places.end() ? *known : places.emplace_back(one.p, nodes);
    };
    for (const Likeness& one : profile.likenesses)
        for (const auto& [bytes, share] : one.points)
            place(one, bytes).shares.emplace_back(one.recipe, share);
    // Places without a surrogate count, too: the library runs an unknown algorithm there.
    for (const Sample& one : profile.samples)
        if (one.recipe.kind == Recipe::Kind::native && extent_of_layout(one.layout).nodes > 1) {
            places_[one.collective].try_emplace(one.bytes);
            if (tells_every_rank(one.layout)) place(one, one.bytes);
        }
}

Likenesses::Guess Likenesses::best(Bytes bytes, const std::vector<Place>& places, int p, int nodes) const {
    // Nearer places count more; in the recipe's share they count far more.
    const auto nearness = [&](const Place& one) {
        return 1 / (1 + octaves(one.p, p) + octaves(double(one.p) / one.nodes, double(p) / nodes) / 2);
    };
    Guess found{bytes, {}, 1, unlimited};
    for (const Place& from : places)
        for (const auto& [recipe, any] : from.shares) {
            double far = 0, all = 0, log_share = 0, sure = 0;
            for (const Place& place : places) {
                const auto here = std::ranges::find(place.shares, recipe, &std::pair<Recipe, double>::first);
                const bool is_alike = here != place.shares.end();
                const double log = is_alike ? std::log(here->second) : 0, weight = nearness(place),
                             weight_of_share = is_alike ? std::pow(weight, 4) : 0;
                far += weight * (is_alike ? std::abs(log) : least_alike);
                all += weight;
                log_share += weight_of_share * log;
                sure += weight_of_share;
            }
            if (far / all < found.error) found = {bytes, recipe, std::exp(log_share / sure), far / all};
        }
    // A recipe that is not the library's algorithm deviates more on other ranks than on the measured ones. In
    // a single place many recipes match by chance.
    constexpr double elsewhere = 2, of_one_place = 0.15, most = 0.3;
    found.error = elsewhere * found.error + of_one_place / double(places.size());
    if (found.error > most) found.error = unlimited;
    return found;
}

std::vector<Likenesses::Guess> Likenesses::around(Collective collective, int p, int nodes,
                                                  Bytes bytes) const {
    const auto known = places_.find(collective);
    if (known == places_.end()) return {};
    const auto& sizes = known->second;
    auto last = sizes.lower_bound(bytes);
    auto first =
        last == sizes.end() || (last->first > bytes && last != sizes.begin()) ? std::prev(last) : last;
    if (last == sizes.end()) last = first;
    std::vector<Guess> found{best(first->first, first->second, p, nodes)};
    if (last != first) found.push_back(best(last->first, last->second, p, nodes));
    return found;
}

std::optional<Likenesses::Time> Likenesses::operator()(Collective collective, int p, int nodes, Bytes bytes,
                                                       double error, const Replayed& replayed) const {
    const std::vector<Guess> guesses = around(collective, p, nodes, bytes);
    if (guesses.empty()) return std::nullopt;
    double log = 0, farthest_off = 0;
    for (const Guess& guess : guesses) {
        if (guess.error >= error) return std::nullopt;
        const auto seconds = replayed(guess.recipe);
        if (!seconds) return std::nullopt;
        // Linear between the logarithms of the two sizes.
        const double share = guesses.size() == 1
                                 ? 1
                                 : 1 - octaves(double(guess.bytes), double(bytes)) /
                                           octaves(double(guesses[0].bytes), double(guesses[1].bytes));
        log += share * std::log(guess.share * *seconds);
        farthest_off = std::max(farthest_off, guess.error);
    }
    return Time{std::exp(log), farthest_off};
}

}  // namespace echelon
