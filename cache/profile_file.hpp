// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/late_profile.hpp"

#include <memory>
#include <string>

namespace echelon {

/// A profile as its process knows it: ranks that hold the same text decide alike.
struct KnownProfile {
    /// Of the text, below 2^62; 0: there is none to use.
    std::uint64_t key = 0;
    std::shared_ptr<const LateProfile> profile = {};
    /// The file that it was read from; where there is none to use, why. Empty: nobody knows.
    std::string from = {};

    /// Error: Profile::parse() says why.
    static KnownProfile of(const std::string& text, std::string from = {});

    /// As one rank tells it to the others.
    std::string told() const;
    static KnownProfile heard(const std::string& told);
};

}  // namespace echelon
