// SPDX-License-Identifier: Apache-2.0
#include "tuner/known_machine.hpp"

#include <utility>

namespace echelon {

void KnownMachine::set(std::shared_ptr<const LateProfile> profile) {
    profile_ = std::move(profile);
    advisor_.reset();
    if (process_.world().job_map() != nullptr || !has_profile()) return;
    const std::optional<Parameters>& parameters = profile_->get()->parameters;
    if (parameters && process_.world().find_region(parameters->regions)) own_.renew_regions();
}

std::string KnownMachine::layout() {
    const Placement& placement = own_.placement(true, false);
    // Only regions need the profile, which is unpacked on first use.
    const bool asks = has_profile() && placement.knows(Level::leaf_switch);
    return asks ? layout_in(*profile(), placement) : layout_on(Machine(), placement);
}

Advisor* KnownMachine::advisor() {
    if (!has_profile()) return nullptr;
    if (advisor_ != nullptr) return advisor_.get();
    const bool native_parts = process_.budget().most() > 0;
    advisor_ = std::make_unique<Advisor>(
        shared_.deciders().of(profile_->get(), own_.placement(true, true), native_parts, Width::best));
    return advisor_.get();
}

}  // namespace echelon
