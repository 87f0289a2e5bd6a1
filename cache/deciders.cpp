// SPDX-License-Identifier: Apache-2.0
#include "cache/deciders.hpp"

#include <algorithm>

namespace echelon {

std::shared_ptr<Decider> Deciders::of(const std::shared_ptr<const Profile>& profile,
                                      const Placement& placement, bool native_parts, Width width) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) {
        return one.profile == profile && one.native_parts == native_parts &&
               one.decider->placement() == placement;
    });
    if (known != kept_.end()) {
        std::rotate(kept_.begin(), known, known + 1);
        return kept_.front().decider;
    }
    const auto usable =
        native_parts ? profile : std::make_shared<const Profile>(without_native_parts(*profile));
    constexpr std::size_t most = 8;
    if (kept_.size() == most) kept_.pop_back();
    kept_.push_front({profile, native_parts, std::make_shared<Decider>(usable, placement, width)});
    return kept_.front().decider;
}

}  // namespace echelon
