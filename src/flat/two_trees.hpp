// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echelon {

/// Two binary trees over ranks 1 .. p-1, both fed by rank 0, such that every rank has children in one of them
/// at most (Sanders, Speck, Traeff 2009). Both are in-order trees, over the ranks and over the ranks mirrored
/// (p odd) or shifted by one (p even).
///
/// Every edge has a colour, 0 or 1, and is used in rounds of that parity: the two edges that lead to a rank
/// have different ones, and so have the two that lead from it. So every rank receives one segment, of
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
        /// The round in which the first segment travels; segment k follows 2k rounds later.
        int first_round;
    };

    explicit TwoTrees(int p);

    /// All edges that lead to (from) a rank; at most two.
    std::vector<Edge> to(int rank) const;
    std::vector<Edge> from(int rank) const;

    /// Rounds until the last of `segments` segments of each tree has arrived everywhere.
    int rounds(std::size_t segments) const;

private:
    std::vector<Edge> edges_;
};

/// Those of p ranks: every rank of a replay and every call ask for the same ones, so the last few are kept. Several
/// threads may ask.
std::shared_ptr<const TwoTrees> two_trees(int p);
/// two_trees(p)->rounds(segments), remembered for every p.
int two_tree_rounds(int p, std::size_t segments);

/// The segment that travels along an edge in a round: nothing if the edge has the other colour, has not begun
/// or has finished.
inline std::optional<std::size_t> segment_in_round(const TwoTrees::Edge& edge, int round,
                                                   std::size_t segments) {
    const int since = round - edge.first_round;
    if (since < 0 || since % 2 != 0 || std::size_t(since / 2) >= segments) return std::nullopt;
    return std::size_t(since / 2);
}

}  // namespace echelon
