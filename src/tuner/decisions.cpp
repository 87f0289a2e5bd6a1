// SPDX-License-Identifier: Apache-2.0
#include "tuner/decisions.hpp"

namespace echelon {

const CallDecision* Decisions::find(const PlanKey& key) const {
    const CallClass calls = classes_.of(key);
    if (const auto found = by_class_.find(calls); found != by_class_.end()) return &found->second;
    const DecisionTable::Row* const row = table_ == nullptr ? nullptr : table_->find(key);
    // A row ends at the edges of the profile's rules.
    return row != nullptr && classes_.of(row->key).part == calls.part ? &row->decision : nullptr;
}

}  // namespace echelon
