// SPDX-License-Identifier: Apache-2.0
#include "cache/heard_profile.hpp"

#include "mpi/fingerprint.hpp"
#include "mpi/gather_placement.hpp"

#include <utility>

namespace echelon {

std::shared_ptr<const KnownProfile> HeardProfile::known() const {
    const std::scoped_lock lock(mutex_);
    return profile_;
}

std::shared_ptr<const KnownProfile> HeardProfile::known_without_waiting() const {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock ? profile_ : nullptr;
}

ProfileSearch HeardProfile::look() const {
    auto found = find_profiles(settings_.profile, installed_profiles(), fingerprint_here);
    for (const std::string& problem : found.problems) say_.once(true, problem);
    return found;
}

std::shared_ptr<const KnownProfile> HeardProfile::first(std::shared_ptr<const KnownProfile> found) {
    const std::scoped_lock lock(mutex_);
    if (profile_ == nullptr) profile_ = std::move(found);
    return profile_;
}

std::shared_ptr<const KnownProfile> HeardProfile::read() {
    if (auto heard = known()) return heard;
    return first(std::make_shared<const KnownProfile>(look().first_for(ranks_on_this_node())));
}

std::shared_ptr<const KnownProfile> HeardProfile::take(KnownProfile told) {
    return first(std::make_shared<const KnownProfile>(std::move(told)));
}

}  // namespace echelon
