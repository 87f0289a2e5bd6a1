// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"
#include "flat/trees.hpp"

#include <array>

namespace echelon {

// Bine (binomial negabinary) trees and butterflies: De Sensi et al., Bine Trees: Enhancing Collective
// Operations by Optimizing Communication Locality, SC 2025. Partners stand on alternating sides of a rank, a
// third nearer than in binomial trees.

/// The signed distance from an even rank to its partner in step 0, 1, ..: 1, -1, 3, -5, 11, -21, ..: the sum
/// of (-2)^0 .. (-2)^step. An odd rank has the negative distance.
constexpr int bine_distance(int step) {
    const long long power = 1ll << (step + 1);
    return int((1 - (step % 2 == 0 ? -power : power)) / 3);
}

/// The distance-halving Bine tree, for any p: a binomial tree whose subtrees are runs of ranks with the root
/// of each a third of the way in. A run is cut into its larger power of two, with its root, and the rest, on
/// alternating sides. The root of the rest is the mirror image of the run's root.
///
///   p = 8, root 2     step 0: 2 -> 5     step 1: 2 -> 1, 5 -> 6     step 2: 2 -> 3, 1 -> 0, 5 -> 4, 6 -> 7
///
/// For a power of two and the root center(p) the distances are bine_distance(). The tree keeps rank order for
/// any root.
class BineTree {
public:
    BineTree(int p, int root) : p_(p), root_(root) {}

    /// The root with the nearest children.
    static int center(int p) { return opens_up(p) ? behind(p) : p - 1 - behind(p); }

    int root() const { return root_; }
    /// Number of children with equally deep subtrees.
    std::size_t in_a_round() const { return 1; }
    int parent(int rank) const { return find(rank).parent; }
    int children(int rank) const { return ceil_log2(find(rank).run.length()); }
    Child child(int rank, int i) const {
        Node node = find(rank);
        for (int larger = ceil_log2(node.run.length()) - 1 - i; larger > 0; --larger) node = halves(node)[0];
        const int child = halves(node)[1].rank;
        return {child, child < rank ? Side::before : Side::after};
    }
    /// The ranks of the subtree.
    RankRun run(int rank) const { return find(rank).run; }

private:
    struct Node {
        int rank, parent;
        RankRun run;
        bool up;  // the run's rest is above the root's half, if the root allows it
    };

    static bool opens_up(int p) { return ceil_log2(p) % 2 == 1; }
    /// Length of the part of a run with the root. Requires: length > 1.
    static int half(int length) { return 1 << (ceil_log2(length) - 1); }
    /// Number of ranks between the root of a run and the end that is not cut off first.
    static int behind(int length) { return length == 1 ? 0 : 2 * half(length) / 3; }

    /// The half with the node's rank, and the child with the rest. Requires: the run is longer than 1.
    static std::array<Node, 2> halves(const Node& node) {
        const auto [first, end] = node.run;
        const int size = half(end - first);
        const bool up = node.up ? node.rank < first + size : node.rank < end - size;
        const int cut = up ? first + size : end - size;
        const RankRun low{first, cut}, high{cut, end};
        const RankRun own = up ? low : high, rest = up ? high : low;
        const int in = behind(rest.length()), child = up ? rest.first + in : rest.end - 1 - in;
        return {Node{node.rank, node.parent, own, !up}, Node{child, node.rank, rest, up}};
    }
    Node find(int rank) const {
        Node node{root_, root_, {0, p_}, opens_up(p_)};
        while (node.rank != rank) {
            const auto both = halves(node);
            node = both[both[1].run.has(rank) ? 1 : 0];
        }
        return node;
    }

    int p_;
    int root_;
};

}  // namespace echelon
