// SPDX-License-Identifier: Apache-2.0
#include "cache/known_machine.hpp"

#include <algorithm>
#include <utility>

namespace echelon {

void KnownMachine::set(std::shared_ptr<const Profile> profile, bool brief) {
    profile_ = std::move(profile);
    brief_ = brief;
    advisor_.reset();
    if (profile_ != nullptr && profile_->parameters &&
        process_.world().find_site(profile_->parameters->sites))
        own_.forget_sites();
}

bool KnownMachine::knows(Collective collective) const {
    if (profile_ == nullptr || brief_) return false;
    const auto is_of_such = [&](const auto& one) { return one.collective == collective; };
    return std::ranges::any_of(profile_->samples, is_of_such) ||
           std::ranges::any_of(profile_->decisions, is_of_such) ||
           std::ranges::any_of(profile_->rules, is_of_such);
}

Advisor* KnownMachine::advisor() {
    if (profile_ == nullptr) return nullptr;
    if (advisor_ != nullptr) return advisor_.get();
    const bool native_parts = process_.budget().most() > 0;
    // A brief look does not know a machine so well that more would be worth its price.
    const Width width = brief_ ? Width::few : Width::best;
    advisor_ = std::make_unique<Advisor>(
        process_.deciders().of(profile_, own_.placement(true, true), native_parts, width));
    return advisor_.get();
}

}  // namespace echelon
