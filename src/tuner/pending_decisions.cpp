// SPDX-License-Identifier: Apache-2.0
#include "tuner/pending_decisions.hpp"

#include <algorithm>

namespace echelon {

std::vector<PlanKey> PendingDecisions::take_undecided(bool settled) {
    plans_.erase_if([](const auto& plan) { return plan.second.choice.source == Source::undecided; });
    done(settled);
    std::vector<PlanKey> taken;
    for (const auto& [calls, key] : std::exchange(undecided_, {})) taken.push_back(key);
    return taken;
}

void PendingDecisions::want(const Recipe& recipe, const PlanKey& key) {
    const auto is_it = [&](const auto& one) {
        return one.first == recipe && classes_.of(one.second) == classes_.of(key);
    };
    if (std::any_of(wanted_.begin(), wanted_.end(), is_it)) return;
    wanted_.emplace_back(recipe, key);
    open();
}

PendingDecisions::Countdown& PendingDecisions::countdown(const PlanKey& key, long at_first) {
    const auto [known, is_new] = countdowns_.try_emplace(classes_.of(key));
    if (is_new) known->second = {at_first, at_first, now()};
    return known->second;
}

const PendingDecisions::Countdown* PendingDecisions::countdown_of(const PlanKey& key) const {
    const auto known = countdowns_.find(classes_.of(key));
    return known == countdowns_.end() ? nullptr : &known->second;
}

void PendingDecisions::extend_countdown(const PlanKey& key, long calls) {
    Countdown& countdown = this->countdown(key, 0);
    countdown.left = calls;
    countdown.calls += calls;
}

}  // namespace echelon
