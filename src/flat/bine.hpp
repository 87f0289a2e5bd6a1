// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"
#include "flat/butterfly.hpp"
#include "flat/trees.hpp"

#include <array>

namespace echelon {

// Bine (binomial negabinary) trees and butterflies: De Sensi et al., Bine Trees: Enhancing Collective
// Operations by Optimizing Communication Locality, SC 2025. Partners stand on alternating sides of a rank, a
// third nearer than those of a binomial tree. Fewer messages leave groups of neighbouring ranks.

/// The signed distance from an even rank to its partner in step 0, 1, ..: 1, -1, 3, -5, 11, -21, ..: the sum
/// of (-2)^0 .. (-2)^step. That of an odd rank is the negative.
constexpr int bine_distance(int step) {
    const long long power = 1ll << (step + 1);
    return int((1 - (step % 2 == 0 ? -power : power)) / 3);
}

/// A butterfly with the interface of Butterfly in near_first order, on a circle of ranks.
///
///   4 ranks                    rank 0   rank 1   rank 2   rank 3
///   step 0 (distance 1)        parts01  parts23  parts23  parts01    (kept; partners 0-1, 2-3)
///   step 1 (distance -1)       part 0   part 2   part 3   part 1     (partners 0-3, 1-2)
///
/// Bit b of a part's number, from the top, says whether the rank is reached from rank 0 by a message in step
/// b. Operands do not stay in rank order: ranges of ranks pass the end of the circle.
class BineButterfly {
public:
    /// Requires: `size` is a power of two.
    BineButterfly(int size, int rank) : size_(size), rank_(rank) {}

    int steps() const { return floor_log2(size_); }
    int peer(int step) const {
        const int distance = bine_distance(step);
        return (rank_ + (rank_ % 2 == 0 ? distance : -distance)) & (size_ - 1);
    }
    bool peer_is_before(int step) const { return peer(step) < rank_; }

    PartRange kept(int step) const { return half(rank_, step); }
    PartRange given(int step) const { return half(peer(step), step); }
    /// The part that a rank ends with.
    int part() const { return part_of(rank_); }
    /// The rank that ends with the part of this rank's number.
    int holder() const {
        unsigned digits = 0;
        for (unsigned moves = reversed(unsigned(rank_)); moves != 0; moves >>= 1) digits ^= moves;
        const unsigned number = (digits ^ negative) - negative;
        return int((digits % 2 == 1 ? number : 0 - number) & unsigned(size_ - 1));
    }

private:
    /// The binary places that count negatively in negabinary numbers.
    static constexpr unsigned negative = 0xAAAAAAAA;

    PartRange half(int rank, int step) const {
        const int width = size_ >> (step + 1);
        return {part_of(rank) & -width, width};
    }
    int part_of(int rank) const {
        const auto number = unsigned(rank % 2 == 1 ? rank : -rank);
        const unsigned digits = ((number + negative) ^ negative) & unsigned(size_ - 1);
        return int(reversed(digits ^ (digits >> 1)));  // the Gray code changes one bit in a step
    }
    unsigned reversed(unsigned bits) const {
        unsigned made = 0;
        for (int bit = 1; bit < size_; bit *= 2) made = 2 * made + ((bits & unsigned(bit)) != 0 ? 1 : 0);
        return made;
    }

    int size_;
    int rank_;
};

/// The distance-halving Bine tree, for any p: a binomial tree whose subtrees are runs of ranks with the root
/// of each a third of the way in. A run is cut into its larger power of two, with its root, and the rest, on
/// alternating sides. The root of the rest is the mirror image of the run's root.
///
///   p = 8, root 2     step 0: 2 -> 5     step 1: 2 -> 1, 5 -> 6     step 2: 2 -> 3, 1 -> 0, 5 -> 4, 6 -> 7
///
/// For a power of two and the root center(p) the distances are those of bine_distance(). The tree keeps rank
/// order for any root.
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
