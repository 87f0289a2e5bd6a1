// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace echelon::bench {

/// A typical subset of the ranks: `count` of them, `stride` apart, from rank 0 on.
struct Part {
    std::string name;
    int count, stride;

    bool has(int rank) const { return rank % stride == 0 && rank / stride < count; }
};

/// Part of `p` ranks: all, half, quarter (the first ones), strided (every 4th), row, column. The latter two
/// belong to the grid of whole rows that is nearest to a square, numbered row by row; if p is prime, its last
/// row is short. Throws WrongUse.
Part part_named(const std::string& name, int p);

}  // namespace echelon::bench
