// SPDX-License-Identifier: Apache-2.0
#include "hier/meaning.hpp"

#include "flat/catalog.hpp"

#include <algorithm>
#include <vector>

namespace echelon {

Meaning meaning_of(std::string_view name, Collective collective) {
    if (const Algorithm* const row = find_algorithm(collective, name)) return {row};
    if (has_halves(collective)) {
        const Algorithm* const reduce = find_algorithm(Collective::reduce, name);
        const Algorithm* const bcast = find_algorithm(Collective::bcast, name);
        if (reduce != nullptr && bcast != nullptr) return {reduce, bcast};
    }
    if (rooted(collective) && in_blocks(collective)) return {find_algorithm(collective, "binomial")};
    return {};
}

bool is_in_window(std::string_view name) {
    // The list is never destroyed, because exit handlers may call MPI.
    static const auto& names = *new auto([] {
        std::vector<std::string_view> found;
        for (const Algorithm& row : catalog())
            if (row.in_window && std::ranges::find(found, row.name) == found.end()) found.push_back(row.name);
        return found;
    }());
    return std::ranges::find(names, name) != names.end();
}

bool goes_through_memory(const Recipe& recipe) {
    return recipe.kind == Recipe::Kind::flat ? is_in_window(recipe.name)
                                             : std::ranges::any_of(recipe.parts, goes_through_memory);
}

}  // namespace echelon
