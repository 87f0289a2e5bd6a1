// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

namespace echelon {

/// printf into a string.
template <class... Values>
std::string format(const char* pattern, Values... values) {
    std::string text(std::size_t(std::snprintf(nullptr, 0, pattern, values...)), '\0');
    std::snprintf(text.data(), text.size() + 1, pattern, values...);
    return text;
}

}  // namespace echelon
