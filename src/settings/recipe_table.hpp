// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/by_size.hpp"
#include "hier/recipe.hpp"

namespace echelon {

/// Recipes by the size of the call, in the notation of variables and info keys:
///
///   ring                                        at all sizes
///   0-4K: ring; 4K-: lanes(node, ring, ring)    by bytes; if ranges overlap, the later one wins
///   auto                                        no request
struct RecipeTable : BySize<Recipe> {
    /// Error: the text has another form, or a row has an error.
    static RecipeTable parse(std::string_view text);
};

/// True if groups or windows of the recipe depend on the nodes of the ranks.
bool needs_placement(const Recipe& recipe);
/// True if groups of the recipe depend on more than nodes.
bool needs_topology(const Recipe& recipe);

/// The text that RecipeTable::parse reads.
std::string to_string(const RecipeTable& table);

}  // namespace echelon
