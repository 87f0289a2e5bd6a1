// SPDX-License-Identifier: Apache-2.0
#include "cache/told_table.hpp"

#include "estimators/choice/decide.hpp"

#include <algorithm>
#include <bit>

namespace echelon {

// Of all short ones the least tells.
ToldTable::Place ToldTable::place(const PlanKey& key) {
    const Bytes bytes = key.count * key.element_size;
    return {key.collective, key.in_order, key.exact, std::max(bytes, Decider::size_class(bytes))};
}

/// The row of the nearest size below that.
const ToldTable::Row* ToldTable::near(const PlanKey& key) const {
    const Place calls = place(key);
    auto near = rows_.upper_bound(calls);
    if (near == rows_.begin()) return nullptr;
    Place of = (--near)->first;
    std::get<Bytes>(of) = std::get<Bytes>(calls);
    return of == calls && std::get<Bytes>(calls) < near->second.until ? &near->second : nullptr;
}

const ToldTable::Row* ToldTable::find(PlanKey key) const {
    const Row* const best = near(key);
    if (best != nullptr || !key.exact) return best;
    key.exact = false;
    return near(key);
}

bool ToldTable::is_without_answer(const PlanKey& key) const {
    const auto found = without_answer_.find(key.collective);
    const auto width = std::bit_width(key.count * key.element_size);
    return found != without_answer_.end() && width < 64 && (found->second >> width & 1) != 0;
}

}  // namespace echelon
