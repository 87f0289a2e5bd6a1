// SPDX-License-Identifier: Apache-2.0
#include "flat/bine_butterfly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace echelon {
namespace {

using Ranks = std::vector<int>;

template <class Value>
Ranks for_all(int p, Value&& value) {
    Ranks all;
    for (int rank = 0; rank < p; ++rank) all.push_back(value(rank));
    return all;
}

TEST(Bine, DistancesAreThoseOfThePaper) {
    Ranks distances;
    for (int step = 0; step < 8; ++step) distances.push_back(bine_distance(step));
    EXPECT_EQ(distances, (Ranks{1, -1, 3, -5, 11, -21, 43, -85}));
    EXPECT_EQ(bine_distance(29), -357913941);
}

TEST(Bine, PartnersOfEightRanks) {
    const auto partners = [](int step) {
        return for_all(8, [&](int rank) { return BineButterfly(8, rank).peer(step); });
    };
    EXPECT_EQ(partners(0), (Ranks{1, 0, 3, 2, 5, 4, 7, 6}));
    EXPECT_EQ(partners(1), (Ranks{7, 2, 1, 4, 3, 6, 5, 0}));
    EXPECT_EQ(partners(2), (Ranks{3, 6, 5, 0, 7, 2, 1, 4}));
}

/// The paper's permutation nu: negabinary digits of the rank (odd) or its negative (even), as a Gray code,
/// read backwards.
TEST(Bine, PartsOfEightRanks) {
    EXPECT_EQ(for_all(8, [](int rank) { return BineButterfly(8, rank).part(); }),
              (Ranks{0, 4, 6, 1, 3, 7, 5, 2}));
    EXPECT_EQ(for_all(4, [](int rank) { return BineButterfly(4, rank).part(); }), (Ranks{0, 2, 3, 1}));
}

/// The parts of some ranges.
std::vector<int> parts_of(const std::vector<PartRange>& ranges) {
    std::vector<int> all;
    for (const PartRange& range : ranges)
        for (int part = range.first; part < range.end(); ++part) all.push_back(part);
    return all;
}

/// A rank takes the parts that its partner gives. It gives each part but its own once.
TEST(Bine, PartnersTakeWhatTheOtherGives) {
    for (int p = 2; p <= 260; p += 2)
        for (int rank = 0; rank < p; ++rank) {
            const BineButterfly own(p, rank);
            std::vector<int> given{own.part()}, held{own.part()};
            for (int step = own.steps() - 1; step >= 0; --step) {
                const BineButterfly peer(p, own.peer(step));
                EXPECT_EQ(peer.peer(step), rank);
                EXPECT_EQ(peer.taken(step), own.given(step));
                const auto now = parts_of(own.given(step));
                given.insert(given.end(), now.begin(), now.end());
                for (const int part : parts_of(own.taken(step)))
                    EXPECT_TRUE(std::ranges::count(held, part) == 1) << p << ' ' << rank << ' ' << step;
                held.insert(held.end(), now.begin(), now.end());
            }
            std::sort(given.begin(), given.end());
            EXPECT_EQ(given, for_all(p, [](int part) { return part; }));
            EXPECT_EQ(BineButterfly(p, own.holder()).part(), rank);
        }
}

TEST(Bine, StepsWithOwnPartAreCounted) {
    for (int p = 2; p <= 1024; p += 2) {
        const BineButterfly own(p, 0);
        int steps = 0;
        for (int step = 0; step < own.steps(); ++step) {
            const auto taken = own.taken(step);
            steps +=
                std::ranges::any_of(taken, [](const PartRange& range) { return range.first == 0; }) ? 1 : 0;
        }
        EXPECT_EQ(bine_steps_with_own_part(p), steps) << p;
    }
}

TEST(Bine, MessagesOfAPowerOfTwoAreInOnePiece) {
    for (int p = 2; p <= 256; p *= 2)
        for (int rank = 0; rank < p; ++rank) {
            const BineButterfly own(p, rank);
            for (int step = 0; step < own.steps(); ++step) {
                EXPECT_EQ(own.taken(step).size(), 1u);
                EXPECT_EQ(own.taken(step)[0].count, p >> (step + 1));
            }
        }
}

/// With 2^a in p half of the vector, and half of the rest, .. stays in one piece.
TEST(Bine, LongMessagesOfMultiplesOfFourAreInOnePiece) {
    const BineButterfly five(24, 5);
    EXPECT_EQ(five.steps(), 5);
    EXPECT_EQ(five.taken(0).size(), 1u);
    EXPECT_EQ(five.taken(0)[0].count, 12);
    EXPECT_EQ(five.taken(1)[0].count, 6);
    EXPECT_EQ(
        parts_of(five.taken(2)).size() + parts_of(five.taken(3)).size() + parts_of(five.taken(4)).size(), 5u);
}

/// The distance-halving tree from the formulas of the paper, as pairs of rank and parent. Numbers are
/// distances from the root: a rank's partner in a step changes all negabinary digits up to the step's.
std::vector<std::pair<int, int>> tree_of_the_paper(int p) {
    std::vector<std::pair<int, int>> edges;
    Ranks reached{0};
    for (int step = floor_log2(p) - 1; step >= 0; --step)
        for (std::size_t i = 0, before = reached.size(); i < before; ++i) {
            const int from = reached[i], by = bine_distance(step);
            reached.push_back(from % 2 == 0 ? from + by : from - by);
            edges.emplace_back(reached.back(), from);
        }
    std::sort(edges.begin(), edges.end());
    return edges;
}

TEST(BineTree, IsThatOfThePaperForPowersOfTwo) {
    for (int p = 1; p <= 512; p *= 2) {
        const int center = BineTree::center(p);
        const BineTree tree(p, center);
        std::vector<std::pair<int, int>> edges;
        for (int rank = 0; rank < p; ++rank)
            if (rank != center) edges.emplace_back(rank - center, tree.parent(rank) - center);
        EXPECT_EQ(edges, tree_of_the_paper(p)) << p;
    }
}

TEST(BineTree, HasTheRoundsOfABinomialTree) {
    for (int p = 1; p <= 70; ++p)
        for (int root = 0; root < p; ++root) {
            const BineTree tree(p, root);
            const KnomialTree binomial(p, 2);
            const auto sizes = [&](const auto& any, int rank) {
                Ranks all;
                for (int i = 0; i < any.children(rank); ++i)
                    all.push_back(any.run(any.child(rank, i).rank).length());
                return all;
            };
            EXPECT_EQ(sizes(tree, root), sizes(binomial, 0)) << p << ' ' << root;
            for (int rank = 0; rank < p; ++rank) EXPECT_TRUE(tree.run(rank).has(rank));
        }
}

/// Sum of the distances on a circle between parents and children.
template <class Tree>
int way(const Tree& tree, int p) {
    int sum = 0;
    for (int rank = 0; rank < p; ++rank)
        if (rank != tree.root()) {
            const int apart = std::abs(rank - tree.parent(rank));
            sum += std::min(apart, p - apart);
        }
    return sum;
}

TEST(BineTree, IsNearerThanABinomialTree) {
    for (int p = 4; p <= 512; ++p)
        EXPECT_LE(way(BineTree(p, BineTree::center(p)), p), way(KnomialTree(p, 2), p)) << p;
    EXPECT_LT(way(BineTree(512, BineTree::center(512)), 512), 0.85 * way(KnomialTree(512, 2), 512));
}

}  // namespace
}  // namespace echelon
