// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/byte_range.hpp"
#include "hier/recipe.hpp"

#include <vector>

namespace echelon {

/// Recipes by the size of the call, as variables and info keys write them:
///
///   ring                                        at all sizes
///   0-4K: ring; 4K-: lanes(node, ring, ring)    by bytes; where ranges overlap, the later one wins
///   auto                                        nothing is asked for
class RecipeTable {
public:
    struct Row {
        ByteRange range;
        Recipe recipe;
        friend bool operator==(const Row&, const Row&) = default;
    };

    /// Error: not of this form; the sentence names the row.
    static RecipeTable parse(std::string_view text);

    /// Nullptr where nothing is asked for.
    const Recipe* find(Bytes bytes) const {
        for (auto row = rows_.rbegin(); row != rows_.rend(); ++row)
            if (row->range.contains(bytes)) return &row->recipe;
        return nullptr;
    }
    const std::vector<Row>& rows() const { return rows_; }

private:
    std::vector<Row> rows_;
};

/// Some of its groups read the placement; more of it than nodes.
bool needs_placement(const Recipe& recipe);
bool needs_topology(const Recipe& recipe);

/// The form that RecipeTable::parse reads back.
std::string to_string(const RecipeTable& table);

}  // namespace echelon
