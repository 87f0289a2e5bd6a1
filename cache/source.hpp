// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace echelon {

/// Who chose a recipe.
enum class Source : std::uint8_t {
    rule,
    setting,
    key,
    hint,
    profile,
    learned,
    model,
    trial,
    refused,
    /// Nobody yet: such a call waits for nobody, and what the ranks settle together comes later.
    undecided
};
std::string_view name(Source source);

}  // namespace echelon
