// SPDX-License-Identifier: Apache-2.0
#include "bench/part.hpp"

#include "bench/wrong_use.hpp"
#include "core/spelling.hpp"

#include <algorithm>
#include <cmath>

namespace echelon::bench {

Part part_named(const std::string& name, int p) {
    int rows = 1;
    for (int divisor = 1; divisor * divisor <= p; ++divisor)
        if (p % divisor == 0) rows = divisor;
    // A prime number makes a grid whose last row is short.
    if (rows == 1) rows = std::max(1, int(std::sqrt(p)));
    const int columns = (p + rows - 1) / rows, longest_column = (p + columns - 1) / columns;
    for (const Part& part : {Part{"all", p, 1}, Part{"half", p / 2, 1}, Part{"quarter", p / 4, 1},
                             Part{"strided", (p + 3) / 4, 4}, Part{"row", columns, 1},
                             Part{"column", longest_column, columns}}) {
        if (part.name != name) continue;
        if (part.count < 2 && part.count < p)
            throw WrongUse("--parts " + name + ": of " + std::to_string(p) +
                           " ranks it has no two; take other parts or more ranks");
        return part;
    }
    throw WrongUse("--parts: " + is_none_of(name, {"all", "half", "quarter", "strided", "row", "column"}));
}

}  // namespace echelon::bench
