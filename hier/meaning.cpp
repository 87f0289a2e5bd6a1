// SPDX-License-Identifier: Apache-2.0
#include "hier/meaning.hpp"

#include <algorithm>

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
    return std::ranges::any_of(catalog(),
                               [&](const Algorithm& row) { return row.in_window && row.name == name; });
}

}  // namespace echelon
