// SPDX-License-Identifier: Apache-2.0
#include "hier/one_way.hpp"

#include "hier/meaning.hpp"
#include "hier/shapes.hpp"

namespace echelon {

bool is_one_way(const Recipe& recipe, Collective collective) {
    if (pattern(collective) == Pattern::to_all) return false;
    if (recipe.kind == Recipe::Kind::native) return true;
    if (recipe.kind == Recipe::Kind::flat) {
        const Meaning meaning = meaning_of(recipe.name, collective);
        return meaning.first != nullptr && meaning.first->one_way;
    }
    // A scan returns to the ranks of a group from its last rank, which has waited for them.
    const ShapeRow* const shape = rooted(collective) ? find_shape(recipe.kind, collective) : nullptr;
    if (shape == nullptr) return false;
    for (std::size_t i = 0; i < shape->phase_count(); ++i)
        if (!is_one_way(shape->part(recipe, i), shape->phase(i).what)) return false;
    return true;
}

}  // namespace echelon
