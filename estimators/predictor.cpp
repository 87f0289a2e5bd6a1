// SPDX-License-Identifier: Apache-2.0
#include "estimators/predictor.hpp"

namespace echelon {

std::optional<Seconds> Predictor::whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                        Operation operation) {
    if (recipe.has_native_parts()) return std::nullopt;
    const auto [known, is_new] =
        known_.try_emplace({collective, bytes, operation.in_order, operation.exact, to_string(recipe)});
    if (is_new) {
        known->second = replay_(recipe, collective, bytes, operation, most_replayed_messages);
        if (!known->second) known->second = sums_(recipe, collective, bytes, operation);
    }
    return known->second;
}

}  // namespace echelon
