// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/source.hpp"

#include <array>

namespace echelon {

std::string_view name(Source source) {
    constexpr std::array<std::string_view, 11> names{
        "built_in", "setting", "key",   "hint",    "profile_rule", "profile_decision",
        "model",    "startup", "trial", "refused", "undecided"};
    return names[std::size_t(source)];
}

}  // namespace echelon
