// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echelon {

/// Two binary trees over ranks 1 .. p-1, both fed by rank 0; every rank has children in at most one of them
/// (Sanders, Speck, Traeff 2009). Both are in-order trees: one over the ranks, one over the ranks mirrored (p
/// odd) or shifted by one (p even).
///
/// Every edge has a colour, 0 or 1, and is used in rounds of that parity. The two edges that lead to a rank
/// differ in colour, like the two edges that lead from it. Hence every rank receives one segment, of
/// alternating trees, and sends one in every round.
///
///   p = 7            4                    3
///                  2   6                5   1
///                 1 3 5                6 4 2
class TwoTrees {
public:
    struct Edge {
        int tree;
        int from, to;
        /// Round in which the first segment travels; segment k follows 2k rounds later.
        int first_round;
    };

    explicit TwoTrees(int p);

    /// The edges that lead to (from) a rank; at most two.
    std::vector<Edge> to(int rank) const;
    std::vector<Edge> from(int rank) const;

    /// Rounds until the last of `segments` segments of each tree has arrived at all ranks.
    int rounds(std::size_t segments) const;

private:
    std::vector<Edge> edges_;
};

/// The two trees of p ranks. The last few are cached, because every rank of a replay and every call uses the
/// same ones. Thread-safe.
std::shared_ptr<const TwoTrees> two_trees(int p);
/// Returns two_trees(p)->rounds(segments), cached for every p. Thread-safe.
int two_tree_rounds(int p, std::size_t segments);

/// The segment that travels along an edge in a round; empty if the edge has the other colour, has not begun
/// or has finished.
inline std::optional<std::size_t> segment_in_round(const TwoTrees::Edge& edge, int round,
                                                   std::size_t segments) {
    const int since = round - edge.first_round;
    if (since < 0 || since % 2 != 0 || std::size_t(since / 2) >= segments) return std::nullopt;
    return std::size_t(since / 2);
}

}  // namespace echelon
