// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace echelon {

/// Counts of blocks that differ, and the places where a rank keeps the blocks.
struct Layout {
    std::vector<int> counts, places;
    int end = 0;

    int of(int rank) const { return counts[std::size_t(rank)]; }
    /// Places by rank and side by side (`turn` 0), or with gaps and in another order on each rank.
    Layout(std::vector<int> lengths, int rank, int turn) : counts(std::move(lengths)) {
        const int p = int(counts.size());
        places.resize(counts.size());
        for (int i = 0; i < p; ++i) {
            const auto r = std::size_t(turn == 0 ? i : turn == 1 ? p - 1 - i : (i + rank) % p);
            if (turn > 0) end += 1 + i % 2;
            places[r] = end;
            end += counts[r];
        }
    }
};

/// The counts of `kind` 0 to 3: any with zeros, one rank has all, equal, none.
inline std::vector<int> lengths(int p, int kind) {
    std::vector<int> counts;
    for (int r = 0; r < p; ++r)
        counts.push_back(kind == 0 ? 5 * r % 7 : kind == 1 ? (r == p / 2 ? 11 : 0) : kind == 2 ? 3 : 0);
    return counts;
}

}  // namespace echelon
