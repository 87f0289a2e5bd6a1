// SPDX-License-Identifier: Apache-2.0
#include "cache/told_choices.hpp"

namespace echelon {

const ToldChoice* ToldChoices::find(const PlanKey& key) const {
    const CallClass calls = CallClass::of(key);
    if (const auto found = exactly_.find(calls); found != exactly_.end()) return &found->second;
    return roughly(calls);
}

const ToldChoice* ToldChoices::roughly(const CallClass& calls) const {
    auto near = roughly_.upper_bound(calls);
    if (near == roughly_.begin()) return nullptr;
    const CallClass& of = (--near)->first;
    if (of.collective != calls.collective || of.in_order != calls.in_order || of.exact != calls.exact ||
        calls.size / 2 >= of.size)
        return nullptr;
    return &near->second;
}

}  // namespace echelon
