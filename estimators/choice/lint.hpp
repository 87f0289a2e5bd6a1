// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// A remark on a profile for its author.
struct Finding {
    enum class Grade { error, warning, note };
    Grade grade = Grade::warning;
    /// Place in the profile, for example "rules[2]"; empty for the whole profile.
    std::string place = {};
    std::string sentence = {};

    friend bool operator==(const Finding&, const Finding&) = default;
};
std::string_view name(Finding::Grade grade);

/// Parses a profile's text and checks it. Errors: the profile is not used at all or an entry can never apply.
/// Warnings: it says less than it seems to. Notes: overlaps and gaps.
std::vector<Finding> lint(std::string_view text);

}  // namespace echelon
