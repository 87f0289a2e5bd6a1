// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/predictor.hpp"

#include "estimators/price/few_segments.hpp"

namespace echelon {

std::optional<Prediction> Predictor::whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                           Operation operation) {
    if (detail_ == Detail::quick || recipe.has_native_parts())
        return sum(recipe, collective, bytes, operation);
    const auto [known, is_new] =
        known_.try_emplace({collective, bytes, operation.in_order, operation.exact, to_string(recipe)});
    if (is_new) {
        const std::size_t most = most_replayed_messages(contention_.p());
        auto replayed = by_few_segments(replay_, recipe, collective, bytes, operation, most);
        if (!replayed) replayed = replay_(recipe, collective, bytes, operation, most);
        known->second = replayed ? std::optional(Prediction{*replayed, Word::whole})
                                 : sum(recipe, collective, bytes, operation);
    }
    return known->second;
}

std::optional<Prediction> Predictor::sum(const Recipe& recipe, Collective collective, Bytes bytes,
                                         Operation operation) {
    const auto seconds = sums_(recipe, collective, bytes, operation);
    return seconds ? std::optional(Prediction{*seconds, Word::sum}) : std::nullopt;
}

}  // namespace echelon
