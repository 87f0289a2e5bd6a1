// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/profile_search.hpp"
#include "cache/sayings.hpp"
#include "cache/settings.hpp"

#include <memory>
#include <mutex>

namespace echelon {

/// The machine's profile, as soon as this process has heard of it. Safe to use from several threads.
class HeardProfile {
public:
    /// Both must outlive it.
    HeardProfile(const Settings& settings, Sayings& say) : settings_(settings), say_(say) {}

    /// Nullptr as long as this process has not heard of it.
    std::shared_ptr<const KnownProfile> known() const;
    /// The same where no other thread is in here; else nullptr.
    std::shared_ptr<const KnownProfile> known_without_waiting() const;
    /// Those that fit but for the ranks of a node; says what is wrong with the others.
    ProfileSearch look() const;
    /// Reads it from its file, where this process has not heard of it; says what is wrong with it. For one
    /// rank of a communicator.
    std::shared_ptr<const KnownProfile> read();
    /// Takes it over from the rank that has read it.
    std::shared_ptr<const KnownProfile> take(KnownProfile told);

private:
    std::shared_ptr<const KnownProfile> first(std::shared_ptr<const KnownProfile> found);

    const Settings& settings_;
    Sayings& say_;
    mutable std::mutex mutex_;
    std::shared_ptr<const KnownProfile> profile_;
};

}  // namespace echelon
