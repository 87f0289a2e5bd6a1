// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile_search.hpp"
#include "job/log_once.hpp"
#include "settings/settings.hpp"

#include <memory>
#include <mutex>

namespace echelon {

/// The machine's profile. One rank reads it, and the others receive it. Safe to use from several threads.
class JobProfile {
public:
    /// Both arguments must outlive this.
    JobProfile(const Settings& settings, LogOnce& log) : settings_(settings), log_(log) {}

    /// The profile; null before this process has read or received one.
    std::shared_ptr<const KnownProfile> known() const;
    /// Like known(), but null if another thread is inside this object.
    std::shared_ptr<const KnownProfile> known_without_waiting() const;
    /// Searches for profiles of this machine, for any number of ranks per node. Logs problems with other
    /// files.
    ProfileSearch look() const;
    /// The known profile; if there is none, reads the one that fits and logs problems. For one rank of a
    /// communicator.
    std::shared_ptr<const KnownProfile> read();
    /// Stores the profile that another rank has read, unless one is known. Returns the known one.
    std::shared_ptr<const KnownProfile> take(KnownProfile told);

private:
    std::shared_ptr<const KnownProfile> first(std::shared_ptr<const KnownProfile> found);

    const Settings& settings_;
    LogOnce& log_;
    mutable std::mutex mutex_;
    std::shared_ptr<const KnownProfile> profile_;
};

}  // namespace echelon
