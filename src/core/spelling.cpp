// SPDX-License-Identifier: Apache-2.0
#include "core/spelling.hpp"

#include "core/words.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `from` into `to`.
std::size_t edits(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before(to.size() + 1), above = before, row = before;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            row[j] =
                std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
    return *std::min_element(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
        return edits(word, a) < edits(word, b);
    });
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
    const std::string found = nearest(word, words);
    return 3 * edits(word, found) <= std::max<std::size_t>(word.size(), 3) ? "; did you mean " + found + '?'
                                                                           : "";
}

std::string is_none_of(std::string_view word, const std::vector<std::string>& words) {
    return '\'' + std::string(word) + "' is none of " + joined(words, ", ") + did_you_mean(word, words);
}

}  // namespace echelon
