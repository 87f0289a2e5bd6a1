// SPDX-License-Identifier: Apache-2.0
#include "cache/agenda.hpp"

#include <algorithm>

namespace echelon {

std::vector<PlanKey> Agenda::take_up(bool settled) {
    plans_.erase_if([](const auto& plan) { return plan.second.choice.source == Source::undecided; });
    done(settled);
    std::vector<PlanKey> taken;
    for (const auto& [calls, key] : std::exchange(undecided_, {})) taken.push_back(key);
    return taken;
}

void Agenda::make(const Recipe& recipe, const PlanKey& key) {
    const auto is_it = [&](const auto& one) {
        return one.first == recipe && classes_.of(one.second) == classes_.of(key);
    };
    if (std::any_of(wanted_.begin(), wanted_.end(), is_it)) return;
    wanted_.emplace_back(recipe, key);
    open();
}

Agenda::Patience& Agenda::patience(const PlanKey& key, long at_first) {
    const auto [known, is_new] = patience_.try_emplace(classes_.of(key));
    if (is_new) known->second = {at_first, at_first, now()};
    return known->second;
}

const Agenda::Patience* Agenda::patience_of(const PlanKey& key) const {
    const auto known = patience_.find(classes_.of(key));
    return known == patience_.end() ? nullptr : &known->second;
}

void Agenda::wait_for(const PlanKey& key, long calls) {
    Patience& patience = this->patience(key, 0);
    patience.left = calls;
    patience.calls += calls;
}

}  // namespace echelon
