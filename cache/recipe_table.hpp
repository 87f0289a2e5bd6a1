// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/by_size.hpp"
#include "hier/recipe.hpp"

namespace echelon {

/// Recipes by the size of the call, as variables and info keys write them:
///
///   ring                                        at all sizes
///   0-4K: ring; 4K-: lanes(node, ring, ring)    by bytes; where ranges overlap, the later one wins
///   auto                                        nothing is asked for
struct RecipeTable : BySize<Recipe> {
    /// Error: not of this form; the sentence names the row.
    static RecipeTable parse(std::string_view text);
};

/// Some of its groups read the placement; more of it than nodes.
bool needs_placement(const Recipe& recipe);
bool needs_topology(const Recipe& recipe);

/// The form that RecipeTable::parse reads back.
std::string to_string(const RecipeTable& table);

}  // namespace echelon
