// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// Something about a profile that its author should know.
struct Finding {
    enum class Grade { error, warning, note };
    Grade grade = Grade::warning;
    /// "rules[2]"; empty: the whole.
    std::string place = {};
    std::string sentence = {};

    friend bool operator==(const Finding&, const Finding&) = default;
};
std::string_view name(Finding::Grade grade);

/// Reads a profile's text and looks for what cannot be right: errors where the profile is not used at all or
/// an entry can never apply; warnings where it says less than it seems to; notes on overlaps and gaps.
std::vector<Finding> lint(std::string_view text);

}  // namespace echelon
