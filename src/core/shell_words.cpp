// SPDX-License-Identifier: Apache-2.0
#include "core/shell_words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace echelon {

std::string shell_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return std::isalnum(c) != 0 ||
                   std::string_view("_-+=./:,@%").find(char(c)) != std::string_view::npos;
        });
        text += text.empty() ? "" : " ";
        if (plain) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

}  // namespace echelon
