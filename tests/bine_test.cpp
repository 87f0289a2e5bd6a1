// SPDX-License-Identifier: Apache-2.0
#include "flat/bine.hpp"

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

TEST(Bine, PartnersGiveWhatTheOtherKeeps) {
    for (int p = 1; p <= 1024; p *= 2)
        for (int rank = 0; rank < p; ++rank) {
            const BineButterfly own(p, rank);
            PartRange held{0, p};
            for (int step = 0; step < own.steps(); ++step) {
                const BineButterfly peer(p, own.peer(step));
                EXPECT_EQ(peer.peer(step), rank);
                EXPECT_EQ(peer.kept(step), own.given(step));
                const PartRange low = std::min(own.kept(step), own.given(step),
                                               [](auto& a, auto& b) { return a.first < b.first; });
                EXPECT_EQ((PartRange{low.first, 2 * low.count}), held) << p << ' ' << rank << ' ' << step;
                held = own.kept(step);
            }
            EXPECT_EQ(held, (PartRange{own.part(), 1}));
            EXPECT_EQ(BineButterfly(p, own.holder()).part(), rank);
        }
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
