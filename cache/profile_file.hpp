// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/settings.hpp"
#include "estimators/profile.hpp"

#include <memory>
#include <string>

namespace echelon {

/// A profile as its process knows it: ranks that hold the same text decide alike.
struct KnownProfile {
    /// Of the text, below 2^62; 0: there is none to use.
    std::uint64_t key = 0;
    std::string text = {};
    std::shared_ptr<const Profile> profile = {};

    /// Error: Profile::parse() says why.
    static KnownProfile of(std::string text);
};

/// The files that may hold the profile, the first that exists is it: what ECHELON_PROFILE names, else the
/// user's and the system's.
std::vector<std::string> profile_files(const Settings& settings);

/// Reads the profile that the settings lead to. One that is damaged, newer or of another machine is not used:
/// then `problem` is a sentence about it.
KnownProfile find_profile(const Settings& settings, std::string& problem);

}  // namespace echelon
