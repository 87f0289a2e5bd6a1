// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/contests.hpp"
#include "cache/plan.hpp"

#include <map>
#include <utility>
#include <vector>

namespace echelon {

/// What one rank has told all to run for such calls, and what could be better.
struct ToldChoice {
    Choice choice;
    /// The choice first; fewer than two: nothing is tried.
    std::vector<Tournament::Arm> arms = {};
};

/// What was told on one communicator. The same on all ranks.
class ToldChoices {
public:
    const ToldChoice* find(const PlanKey& key) const;
    void tell(const PlanKey& key, ToldChoice told) {
        exactly_.insert_or_assign(CallClass::of(key), std::move(told));
    }
    /// The same for calls of up to twice the size, as long as nothing better is told.
    void tell_roughly(const PlanKey& key, ToldChoice told) {
        roughly_.insert_or_assign(CallClass::of(key), std::move(told));
    }
    void clear() {
        exactly_.clear();
        roughly_.clear();
    }

private:
    const ToldChoice* roughly(const CallClass& calls) const;

    std::map<CallClass, ToldChoice> exactly_, roughly_;
};

}  // namespace echelon
