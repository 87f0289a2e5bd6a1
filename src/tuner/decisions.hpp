// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/decision_table.hpp"

#include <map>
#include <memory>
#include <utility>

namespace echelon {

/// The decisions of rank 0 on one communicator. Equal on all ranks.
class Decisions {
public:
    /// `classes` must outlive this.
    explicit Decisions(const CallClasses& classes) : classes_(classes) {}

    const CallDecision* find(const PlanKey& key) const;
    void add(const PlanKey& key, CallDecision decision) {
        by_class_.insert_or_assign(classes_.of(key), std::move(decision));
    }
    /// The table holds for classes that have no decision of their own.
    void add(std::shared_ptr<const DecisionTable> table) { table_ = std::move(table); }
    bool is_undecided(const PlanKey& key) const { return table_ != nullptr && table_->is_undecided(key); }
    void clear() {
        by_class_.clear();
        table_.reset();
    }

private:
    const CallClasses& classes_;
    std::map<CallClass, CallDecision> by_class_;
    std::shared_ptr<const DecisionTable> table_;
};

}  // namespace echelon
