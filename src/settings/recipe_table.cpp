// SPDX-License-Identifier: Apache-2.0
#include "settings/recipe_table.hpp"

#include "core/error.hpp"
#include "core/words.hpp"
#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// Error: the row, which has no colon, begins with sizes.
void refuse_sizes(std::string_view row) {
    const std::string_view text = trimmed(row);
    const auto end = std::min(text.find_first_of(" \t="), text.size());
    const std::string sizes(text.substr(0, end));
    try {
        (void)ByteRange::parse(sizes);
    } catch (const Error&) {
        return;
    }
    const std::string recipe(end < text.size() ? trimmed(text.substr(end + 1)) : "ring");
    throw Error("in '" + std::string(text) + "' the colon behind the sizes is missing; the form is '" +
                sizes + ": " + recipe + '\'');
}

}  // namespace

RecipeTable RecipeTable::parse(std::string_view text) {
    RecipeTable table;
    if (trimmed(text) == "auto") return table;
    const auto rows = split(text, ';');
    if (rows.empty()) table.add({}, Recipe::parse(text));  // throws the error of an empty recipe
    for (const std::string_view row : rows) {
        const auto colon = row.substr(0, row.find('(')).find(':');  // later colons belong to the recipe
        if (colon == std::string_view::npos) {
            refuse_sizes(row);
            table.add({}, Recipe::parse(row));
        } else {
            table.add(ByteRange::parse(trimmed(row.substr(0, colon))), Recipe::parse(row.substr(colon + 1)));
        }
    }
    return table;
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
