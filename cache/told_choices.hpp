// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/contests.hpp"
#include "cache/plan.hpp"

#include <atomic>
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

/// New communicators for which this rank has told what calls with a root run, and those where one asked.
struct ToldTables {
    std::atomic<long> told = 0, read = 0;
    /// Most of them were for nothing: the program does not make such calls on what it makes.
    bool idle() const {
        constexpr long few = 32, share = 8;
        return told >= few && share * read < told;
    }
};

/// What was told on one communicator. The same on all ranks.
class ToldChoices {
public:
    /// `tables` counts whether what was told roughly is of use.
    explicit ToldChoices(ToldTables& tables) : tables_(tables) {}

    const ToldChoice* find(const PlanKey& key);
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
    const ToldChoice* roughly(const CallClass& calls);

    ToldTables& tables_;
    std::map<CallClass, ToldChoice> exactly_, roughly_;
    bool table_was_read_ = false;
};

}  // namespace echelon
