// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

namespace echelon {

/// `rank` wrapped into 0 .. p - 1. Requires: -p <= rank < 2p.
constexpr int wrap(int rank, int p) { return rank < 0 ? rank + p : rank >= p ? rank - p : rank; }

constexpr bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

/// Requires: n >= 1.
constexpr int floor_log2(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }

/// Rounds in which a doubling reaches n ranks. Requires: n >= 1.
constexpr int ceil_log2(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

/// Smallest h with radix^h >= n. Requires: n >= 1, radix >= 2.
constexpr int ceil_log(int n, int radix) {
    int height = 0;
    for (long long reach = 1; reach < n; reach *= radix) ++height;
    return height;
}

/// Renumbers the ranks: the root becomes virtual rank 0, and the cyclic order stays.
class Rotation {
public:
    Rotation(int root, int p) : root_(root), p_(p) {}
    int virtual_rank(int rank) const { return wrap(rank - root_, p_); }
    int rank(int virtual_rank) const { return wrap(virtual_rank + root_, p_); }

private:
    int root_;
    int p_;
};

}  // namespace echelon
