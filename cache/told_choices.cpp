// SPDX-License-Identifier: Apache-2.0
#include "cache/told_choices.hpp"

namespace echelon {

const ToldChoice* ToldChoices::find(const PlanKey& key) {
    const CallClass calls = CallClass::of(key);
    if (const auto found = exactly_.find(calls); found != exactly_.end()) return &found->second;
    if (const ToldChoice* const found = roughly(calls)) return found;
    return ranged(key.collective, key.count * key.element_size);
}

const ToldChoice* ToldChoices::roughly(const CallClass& calls) {
    auto near = roughly_.upper_bound(calls);
    if (near == roughly_.begin()) return nullptr;
    const CallClass& of = (--near)->first;
    if (of.collective != calls.collective || of.in_order != calls.in_order || of.exact != calls.exact ||
        calls.size / 2 >= of.size)
        return nullptr;
    if (!std::exchange(table_was_read_, true)) ++tables_.read;
    return &near->second;
}

const ToldChoice* ToldChoices::ranged(Collective collective, Bytes bytes) const {
    const auto found = ranges_.lower_bound({collective, bytes});
    if (found == ranges_.end() || found->first.first != collective || found->second.from > bytes)
        return nullptr;
    return &found->second.told;
}

}  // namespace echelon
