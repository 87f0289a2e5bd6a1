// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/recipe.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace echelon {

/// A library's name of an algorithm, and the row of the catalog that sends the same messages.
struct LibraryName {
    Collective collective;
    std::string_view name;
    std::string_view row;
    /// Libraries that use the name.
    std::string_view libraries;
};
/// Names that differ from the catalog's.
std::span<const LibraryName> library_names();

/// The recipe that a table of measurements means: one of Echelon's recipes, a library's name of its
/// algorithm, with or without the library's name at its end (`ring_ompi`), or a library's own choice
/// (`default`). Returns nullopt if no row of the catalog matches.
std::optional<Recipe> recipe_called(Collective collective, std::string_view name);

}  // namespace echelon
