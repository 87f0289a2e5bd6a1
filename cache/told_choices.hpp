// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/told_table.hpp"

#include <map>
#include <memory>
#include <utility>

namespace echelon {

/// What was told on one communicator. The same on all ranks.
class ToldChoices {
public:
    /// The classes must outlive it.
    explicit ToldChoices(const CallClasses& classes) : classes_(classes) {}

    const ToldChoice* find(const PlanKey& key) const;
    void tell(const PlanKey& key, ToldChoice told) {
        exactly_.insert_or_assign(classes_.of(key), std::move(told));
    }
    /// What holds as long as nothing better is told.
    void tell(std::shared_ptr<const ToldTable> table) { table_ = std::move(table); }
    bool is_without_answer(const PlanKey& key) const {
        return table_ != nullptr && table_->is_without_answer(key);
    }
    void clear() {
        exactly_.clear();
        table_.reset();
    }

private:
    const CallClasses& classes_;
    std::map<CallClass, ToldChoice> exactly_;
    std::shared_ptr<const ToldTable> table_;
};

}  // namespace echelon
