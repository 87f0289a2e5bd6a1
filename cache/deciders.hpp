// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/latest.hpp"
#include "estimators/choice/decide.hpp"

#include <memory>
#include <mutex>

namespace echelon {

/// The deciders of a process: communicators with the same profile and ranks in the same places share one, and
/// what it has decided. Safe to use from several threads.
class Deciders {
public:
    /// `native_parts`: recipes may have phases that are the library's own collectives. `width`: the same for all that
    /// ask with this profile.
    std::shared_ptr<Decider> of(const std::shared_ptr<const Profile>& profile, const Placement& placement,
                                bool native_parts, Width width);

private:
    struct Kept {
        std::shared_ptr<const Profile> profile;
        bool native_parts;
        std::shared_ptr<Decider> decider;
    };
    std::mutex mutex_;
    Latest<Kept> kept_;
};

}  // namespace echelon
