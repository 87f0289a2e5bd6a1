// SPDX-License-Identifier: Apache-2.0
#include "cache/told_table.hpp"

#include <bit>

namespace echelon {

/// The row of the nearest size below that.
const std::pair<const CallClass, ToldTable::Row>* ToldTable::near(const CallClass& calls) const {
    auto near = rows_.upper_bound(calls);
    if (near == rows_.begin()) return nullptr;
    const CallClass& of = (--near)->first;
    const bool is_alike =
        of.collective == calls.collective && of.in_order == calls.in_order && of.exact == calls.exact;
    return is_alike && calls.size / 2 < of.size ? &*near : nullptr;
}

const ToldChoice* ToldTable::find(CallClass calls) const {
    const auto* best = near(calls);
    if (std::exchange(calls.exact, false))
        if (const auto* const other = near(calls);
            other != nullptr && (best == nullptr || best->first.size < other->first.size))
            best = other;
    return best == nullptr ? nullptr : &best->second.told;
}

bool ToldTable::is_without_answer(const PlanKey& key) const {
    const auto found = without_answer_.find(key.collective);
    const auto width = std::bit_width(key.count * key.element_size);
    return found != without_answer_.end() && width < 64 && (found->second >> width & 1) != 0;
}

}  // namespace echelon
