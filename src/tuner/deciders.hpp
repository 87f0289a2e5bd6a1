// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/lru_cache.hpp"
#include "estimators/choice/decide.hpp"

#include <memory>
#include <mutex>

namespace echelon {

/// The deciders of a process. Communicators with the same profile and placement share a decider and its
/// decisions. Safe to use from several threads.
class Deciders {
public:
    /// `native_parts`: recipes may have native phases. `width`: the same in all calls with this profile.
    std::shared_ptr<Decider> of(const std::shared_ptr<const Profile>& profile, const Placement& placement,
                                bool native_parts, Width width) {
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

private:
    struct Kept {
        std::shared_ptr<const Profile> profile;
        bool native_parts;
        std::shared_ptr<Decider> decider;
    };
    std::mutex mutex_;
    LruCache<Kept> kept_;
};

}  // namespace echelon
