// SPDX-License-Identifier: Apache-2.0
#include "job/job_profile.hpp"

#include "mpi/fingerprint.hpp"
#include "mpi/gather_placement.hpp"

#include <utility>

namespace echelon {

std::shared_ptr<const KnownProfile> JobProfile::known() const {
    const std::scoped_lock lock(mutex_);
    return profile_;
}

std::shared_ptr<const KnownProfile> JobProfile::known_without_waiting() const {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock ? profile_ : nullptr;
}

ProfileSearch JobProfile::look() const {
    auto found = find_profiles(settings_.profile, installed_profiles(), fingerprint_here);
    for (const std::string& problem : found.problems) log_.once(true, problem);
    return found;
}

std::shared_ptr<const KnownProfile> JobProfile::first(std::shared_ptr<const KnownProfile> found) {
    const std::scoped_lock lock(mutex_);
    if (profile_ == nullptr) profile_ = std::move(found);
    return profile_;
}

std::shared_ptr<const KnownProfile> JobProfile::read() {
    if (auto heard = known()) return heard;
    return first(std::make_shared<const KnownProfile>(look().first_for(ranks_on_this_node())));
}

std::shared_ptr<const KnownProfile> JobProfile::take(KnownProfile told) {
    return first(std::make_shared<const KnownProfile>(std::move(told)));
}

}  // namespace echelon
