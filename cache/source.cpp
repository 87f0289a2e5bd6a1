// SPDX-License-Identifier: Apache-2.0
#include "cache/source.hpp"

#include <array>

namespace echelon {

std::string_view name(Source source) {
    constexpr std::array<std::string_view, 10> names{"rule",    "setting",   "key",   "hint",    "profile",
                                                     "learned", "estimator", "trial", "refused", "undecided"};
    return names[std::size_t(source)];
}

}  // namespace echelon
