// SPDX-License-Identifier: Apache-2.0
#include "cache/told_choices.hpp"

namespace echelon {

const ToldChoice* ToldChoices::find(const PlanKey& key) const {
    const CallClass calls = classes_.of(key);
    if (const auto found = exactly_.find(calls); found != exactly_.end()) return &found->second;
    const ToldTable::Row* const usual = table_ == nullptr ? nullptr : table_->find(key);
    // What a rule says holds to its end, and what nobody has written to where one begins.
    return usual != nullptr && classes_.of(usual->key).part == calls.part ? &usual->told : nullptr;
}

}  // namespace echelon
