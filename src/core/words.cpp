// SPDX-License-Identifier: Apache-2.0
#include "core/words.hpp"

namespace echelon {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? ""
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size()) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (i < text.size() && (text[i] != separator || depth > 0)) continue;
        if (const auto part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.emplace_back(part);
        begin = i + 1;
    }
    return parts;
}

}  // namespace echelon
