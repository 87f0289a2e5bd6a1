// SPDX-License-Identifier: Apache-2.0
#include "cache/recipe_table.hpp"

#include "core/error.hpp"
#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Position of the first `wanted` outside of brackets, or npos.
std::size_t find_outside(std::string_view text, char wanted) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (text[i] == wanted && depth == 0) return i;
    }
    return std::string_view::npos;
}

}  // namespace

RecipeTable RecipeTable::parse(std::string_view text) {
    RecipeTable table;
    if (trimmed(text) == "auto") return table;
    while (true) {
        const auto end = find_outside(text, ';');
        const std::string_view row = text.substr(0, end);
        const auto colon = find_outside(row, ':');
        if (colon == std::string_view::npos)
            table.add({}, Recipe::parse(trimmed(row)));
        else
            table.add(ByteRange::parse(trimmed(row.substr(0, colon))),
                      Recipe::parse(trimmed(row.substr(colon + 1))));
        if (end == std::string_view::npos) return table;
        text.remove_prefix(end + 1);
    }
}

std::string to_string(const RecipeTable& table) {
    if (table.empty()) return "auto";
    std::string text;
    for (const auto& [range, recipe] : table) {
        if (!text.empty()) text += "; ";
        if (range != ByteRange{}) text += to_string(range) + ": ";
        text += to_string(recipe);
    }
    return text;
}

bool needs_placement(const Recipe& recipe) {
    return (recipe.groups && recipe.groups->needs_placement()) || is_in_window(recipe.name) ||
           std::any_of(recipe.parts.begin(), recipe.parts.end(), needs_placement);
}

bool needs_topology(const Recipe& recipe) {
    return (recipe.groups && recipe.groups->needs_topology()) ||
           std::any_of(recipe.parts.begin(), recipe.parts.end(), needs_topology);
}

}  // namespace echelon
