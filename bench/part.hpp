// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace echelon::bench {

/// Some ranks of all, as programs divide theirs: `count` of them, `stride` apart, from rank 0 on.
struct Part {
    std::string name;
    int count, stride;

    bool has(int rank) const { return rank % stride == 0 && rank / stride < count; }
};

/// Of `p` ranks: all, half, quarter (the first ones), strided (every 4th), row, column (of the grid of whole
/// rows that is nearest to a square, numbered row by row; where p is prime the last row is short). Throws
/// WrongUse (bench/options.hpp).
Part part_named(const std::string& name, int p);

}  // namespace echelon::bench
