// SPDX-License-Identifier: Apache-2.0
#include "cache/told_choices.hpp"

namespace echelon {

const ToldChoice* ToldChoices::find(const PlanKey& key) const {
    const CallClass calls = CallClass::of(key);
    if (const auto found = exactly_.find(calls); found != exactly_.end()) return &found->second;
    return table_ == nullptr ? nullptr : table_->find(calls);
}

}  // namespace echelon
