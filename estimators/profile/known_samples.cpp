// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/known_samples.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {

std::vector<Series::Fastest>::iterator Series::at_or_above(Bytes bytes) {
    return std::lower_bound(fastest_.begin(), fastest_.end(), bytes,
                            [](const Fastest& one, Bytes b) { return one.sample->bytes < b; });
}

void Series::add(const Sample& sample) {
    const auto at = at_or_above(sample.bytes);
    if (at == fastest_.end() || at->sample->bytes != sample.bytes) {
        fastest_.insert(at, {&sample});
        return;
    }
    ++at->segments;
    if (sample.seconds < at->sample->seconds) at->sample = &sample;
}

Series::Fastest* Series::from(Bytes bytes) {
    const auto at = at_or_above(bytes);
    return at == fastest_.end() ? nullptr : &*at;
}

Series::Fastest* Series::below(Bytes bytes) {
    const auto at = at_or_above(bytes);
    return at == fastest_.begin() ? nullptr : &*std::prev(at);
}

Curve Series::times(Bytes bytes) {
    Curve made;
    for (const Fastest* const one : {below(bytes), from(bytes)})
        if (one != nullptr) made.add(one->sample->bytes, one->sample->seconds, one->sample->spread);
    return made;
}

std::optional<Curve::Value> Series::between(Bytes bytes) {
    constexpr Bytes near = 8;
    const Fastest *const high = from(bytes), *const low = below(bytes);
    if (high == nullptr || low == nullptr || high->sample->bytes > near * low->sample->bytes)
        return std::nullopt;
    const Curve around = times(bytes);
    return around.empty() ? std::nullopt : std::optional(around.at(bytes));
}

KnownSamples::KnownSamples(const Profile& profile, Collective collective, int p, const std::string& layout) {
    for (const Sample& sample : profile.samples) {
        if (sample.collective != collective || sample.p != p || sample.layout != layout) continue;
        if (sample.in_a_row > 0)
            row_shares_[&sample.recipe].add(sample.bytes, sample.in_a_row / sample.seconds, 0);
        if (sample.recipe.kind == Recipe::Kind::native) {
            native_.add(sample.bytes, sample.seconds, sample.spread);
            continue;
        }
        at_[sample.bytes].push_back(&sample);
        const auto [found, is_new] = by_recipe_.try_emplace(&sample.recipe, nullptr);
        if (is_new) found->second = &series_.emplace_back();
        found->second->add(sample);
    }
}

Series* KnownSamples::series(const Recipe& recipe) {
    const auto found = by_recipe_.find(&recipe);
    return found == by_recipe_.end() ? nullptr : found->second;
}

const Sample* KnownSamples::measured(const Recipe& recipe, Bytes bytes) const {
    const auto here = at_.find(bytes);
    if (here == at_.end()) return nullptr;
    const auto& all = here->second;
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [&](const Sample* one) { return one->recipe == recipe; });
    return found == all.rend() ? nullptr : *found;
}

std::optional<double> KnownSamples::row_share(const Recipe& recipe, Bytes bytes) const {
    if (const Sample* const here = measured(recipe, bytes); here != nullptr && here->in_a_row > 0)
        return here->in_a_row / here->seconds;
    const auto known = row_shares_.find(&recipe);
    return known == row_shares_.end() ? std::nullopt : std::optional(known->second.at(bytes).value);
}

std::vector<const Recipe*> KnownSamples::near(Bytes bytes) {
    std::vector<const Recipe*> all;
    if (const auto here = at_.find(bytes); here != at_.end())
        for (const Sample* const one : here->second) all.push_back(&one->recipe);
    const auto above = at_.upper_bound(bytes), here = at_.lower_bound(bytes);
    for (Series& one : series_)
        for (const Series::Fastest* const side : {one.from(bytes + 1), one.below(bytes)})
            if (side != nullptr && ((above != at_.end() && side->sample->bytes == above->first) ||
                                    (here != at_.begin() && side->sample->bytes == std::prev(here)->first)))
                all.push_back(&side->sample->recipe);
    return all;
}

bool KnownSamples::led(const Recipe& recipe, Bytes bytes) {
    constexpr double little = 1.02;  // a calibration cannot tell smaller differences
    Series* const own = series(recipe);
    const auto led_at = [&](Bytes size, const std::vector<const Sample*>& all) {
        const Series::Fastest* const here = own->from(size);
        if (here == nullptr || here->sample->bytes != size) return false;
        const auto faster = [](const Sample* a, const Sample* b) { return a->seconds < b->seconds; };
        return here->sample->seconds <= little * (*std::ranges::min_element(all, faster))->seconds;
    };
    if (own == nullptr) return false;
    const auto above = at_.lower_bound(bytes);
    if (above != at_.end() && led_at(above->first, above->second)) return true;
    if (above == at_.begin() || (above != at_.end() && above->first == bytes)) return false;
    const auto below = std::prev(above);
    return led_at(below->first, below->second);
}

bool KnownSamples::compared(const Recipe& recipe, Bytes bytes) {
    Series* const found = series(recipe);
    if (found == nullptr) return false;
    const auto *const above = found->from(bytes), *const below = found->below(bytes);
    return above != nullptr && below != nullptr && above->sample->bytes != bytes && above->segments > 1 &&
           below->segments > 1;
}

}  // namespace echelon
