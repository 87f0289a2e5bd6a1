// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/late_profile.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace echelon {

/// A profile of a process, with the key of its text. Ranks with the same text decide alike.
struct KnownProfile {
    /// A hash of the text, below 2^62; 0: no profile.
    std::uint64_t key = 0;
    std::shared_ptr<const LateProfile> profile = {};
    /// The profile's file, or the reason why there is no profile. Empty: unknown.
    std::string from = {};
    /// Number of ranks per node that it is for, if it was found in a folder; 0: any number.
    int ranks_per_node = 0;

    /// Parses the text. Error: the text is no profile (Profile::parse).
    static KnownProfile of(const std::string& text, std::string from = {});

    /// The message by which one rank sends the profile to the others, and its reader.
    std::string told() const;
    static KnownProfile heard(std::string_view told);
};

}  // namespace echelon
