// SPDX-License-Identifier: Apache-2.0
#include "core/spelling.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

/// Insertions, deletions and replacements that make one of the other.
std::size_t edits(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
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

}  // namespace echelon
