// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/sample_times.hpp"

#include "core/error.hpp"

namespace echelon {

SampleTimes::SampleTimes(const Machine& machine, const Placement& placement)
    : machine_(machine), given_(layout_on(machine, placement)) {
    layouts_[given_] = {placement.size(), std::make_unique<Predictor>(machine, placement)};
}

Predictor* SampleTimes::of(const Sample& sample) {
    const auto [found, is_new] = layouts_.try_emplace(sample.layout);
    if (is_new) try {
            const Placement placement = placement_of_layout(sample.layout);
            found->second = {placement.size(), std::make_unique<Predictor>(machine_, placement)};
        } catch (const Error&) {
        }
    return found->second.first == sample.p ? found->second.second.get() : nullptr;
}

std::optional<Seconds> SampleTimes::whole(const Sample& sample) {
    Predictor* const model = of(sample);
    if (model == nullptr) return std::nullopt;
    const auto whole = model->whole(sample.recipe, sample.collective, sample.bytes, {});
    return whole ? std::optional(whole->seconds) : std::nullopt;
}

std::optional<Seconds> SampleTimes::sum(const Sample& sample) {
    Predictor* const model = of(sample);
    if (model == nullptr) return std::nullopt;
    return model->sums()(sample.recipe, sample.collective, sample.bytes, {});
}

void SampleTimes::remember(const Recipe& recipe, Collective collective, Bytes bytes, Seconds whole) {
    layouts_.at(given_).second->remember(recipe, collective, bytes, {}, whole);
}

std::size_t SampleTimes::messages() const {
    std::size_t all = 0;
    for (const auto& [layout, model] : layouts_)
        if (model.second != nullptr) all += model.second->messages();
    return all;
}

}  // namespace echelon
