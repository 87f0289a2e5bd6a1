// SPDX-License-Identifier: Apache-2.0
#include "tuner/decision_table.hpp"

#include "estimators/choice/decide.hpp"

#include <algorithm>
#include <bit>

namespace echelon {

// All sizes of the least class share one place.
DecisionTable::Place DecisionTable::place(const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    return {key.collective, key.in_order, key.exact, std::max(bytes, Decider::size_class(bytes))};
}

/// The row of the largest size up to the call's, if it reaches the call; else nullptr.
const DecisionTable::Row* DecisionTable::nearest(const PlanKey& key) const {
    const Place calls = place(key);
    auto nearest = rows_.upper_bound(calls);
    if (nearest == rows_.begin()) return nullptr;
    Place of = (--nearest)->first;
    std::get<Bytes>(of) = std::get<Bytes>(calls);
    return of == calls && std::get<Bytes>(calls) < nearest->second.until ? &nearest->second : nullptr;
}

const DecisionTable::Row* DecisionTable::find(PlanKey key) const {
    const Row* const best = nearest(key);
    if (best != nullptr || !key.exact) return best;
    key.exact = false;
    return nearest(key);
}

bool DecisionTable::is_undecided(const PlanKey& key) const {
    const auto found = undecided_.find(key.collective);
    const auto width = std::bit_width(key.count * key.element_size);
    return found != undecided_.end() && width < 64 && (found->second >> width & 1) != 0;
}

}  // namespace echelon
