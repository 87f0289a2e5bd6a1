// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The text without the blanks around it.
std::string_view trimmed(std::string_view text);

/// The parts between separators outside of parentheses, trimmed; empty parts are left out.
std::vector<std::string> split(std::string_view text, char separator);

/// The texts `text(one)` of all elements, with `between` between them.
template <class All, class Text = std::identity>
std::string joined(const All& all, std::string_view between, const Text& text = {}) {
    std::string made;
    for (const auto& one : all) made.append(made.empty() ? "" : between).append(text(one));
    return made;
}

}  // namespace echelon
