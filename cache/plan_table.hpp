// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/native_calls.hpp"
#include "cache/plan.hpp"
#include "cache/plan_key.hpp"

#include <unordered_map>

namespace echelon {

/// The plans of a communicator, and the calls that are known to be native and need no look-up of a plan.
class PlanTable {
public:
    using Map = std::unordered_map<PlanKey, Plan, PlanKeyHash>;

    /// The plan of a key; null if there is none. A hit costs nanoseconds and allocates nothing. The plan that
    /// was found last is found again without a search.
    Plan* find(const PlanKey& key) {
        if (last_ == nullptr || !(last_->first == key)) {
            const auto found = plans_.find(key);
            if (found == plans_.end()) return nullptr;
            last_ = &*found;
        }
        ++hits_;
        return &last_->second;
    }
    /// Prepares for one more plan: if there are very many, all are dropped. All ranks do this in the same
    /// call, because all make the same calls.
    void prepare_for_one() {
        constexpr std::size_t most = 4096;
        ++made_;
        if (plans_.size() >= most) clear();
    }
    Plan& put(const PlanKey& key, Plan plan) {
        return plans_.insert_or_assign(key, std::move(plan)).first->second;
    }
    template <class Condition>
    void erase_if(const Condition& condition) {
        forget_native_calls();
        std::erase_if(plans_, condition);
    }
    void erase(const PlanKey& key) {
        erase_if([&](const auto& plan) { return plan.first == key; });
    }
    void clear() {
        forget_native_calls();
        plans_.clear();
    }
    /// Resets hits() and made().
    void count_anew() { hits_ = made_ = 0; }
    const Map& all() const { return plans_; }
    long hits() const { return hits_; }
    long made() const { return made_; }

    /// True if all calls of this collective go to the library, with any arguments.
    bool always_native(Collective collective) const {
        return (always_native_ >> unsigned(collective) & 1) != 0;
    }
    void set_always_native(Collective collective) { always_native_ |= 1u << unsigned(collective); }
    void set_all_native() { always_native_ = ~0u; }
    /// True if an equal call was noted and no plan has been dropped since: the call is native
    /// (NativeCalls::take).
    [[gnu::always_inline]] bool repeats_native(const PassedCall& call) { return native_calls_.take(call); }
    /// Notes a call for repeats_native(). Requires: its plan is native; a predefined type and operation.
    void note_native(const PassedCall& call, long* left) { native_calls_.add(call, left); }
    /// Makes every later call look up its plan.
    void look_again() {
        always_native_ = 0;
        native_calls_.clear();
    }

private:
    void forget_native_calls() {
        last_ = nullptr;
        native_calls_.clear();
    }

    Map plans_;
    Map::value_type* last_ = nullptr;
    NativeCalls native_calls_;
    unsigned always_native_ = 0;
    long hits_ = 0, made_ = 0;
};

}  // namespace echelon
