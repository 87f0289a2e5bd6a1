// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/recipe.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace echelon {

/// What others call an algorithm, and the row of ours that sends the same messages.
struct LibraryName {
    Collective collective;
    std::string_view name;
    std::string_view row;
    /// Who calls it so.
    std::string_view libraries;
};
/// Where the names differ from ours.
std::span<const LibraryName> library_names();

/// The recipe that a table of measurements means: one of ours, what a library calls its algorithm, with or
/// without the library's name at its end (`ring_ompi`), or what a library chooses by itself (`default`).
/// Nullopt: no row of ours does that.
std::optional<Recipe> recipe_called(Collective collective, std::string_view name);

}  // namespace echelon
