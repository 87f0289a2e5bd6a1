// SPDX-License-Identifier: Apache-2.0
#include "tuner/deciders.hpp"

namespace echelon {

std::shared_ptr<Decider> Deciders::of(const std::shared_ptr<const Profile>& profile,
                                      const Placement& placement, bool native_parts, Width width) {
    const std::scoped_lock lock(mutex_);
    const auto is_it = [&](const Kept& one) {
        return one.profile == profile && one.native_parts == native_parts &&
               one.decider->placement() == placement;
    };
    const auto make = [&] {
        const auto usable =
            native_parts ? profile : std::make_shared<const Profile>(without_native_parts(*profile));
        return Kept{profile, native_parts, std::make_shared<Decider>(usable, placement, width)};
    };
    return kept_.find(is_it, make).decider;
}

}  // namespace echelon
