// SPDX-License-Identifier: Apache-2.0
#include "flat/two_trees.hpp"

#include "core/ranks.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(TwoTrees, LeadToEveryRankTwiceAndFromItInOneTree) {
    for (int p = 2; p <= 70; ++p) {
        const TwoTrees trees(p);
        for (int rank = 1; rank < p; ++rank) {
            const auto to = trees.to(rank), from = trees.from(rank);
            ASSERT_EQ(to.size(), 2u) << "rank " << rank << " of " << p;
            EXPECT_NE(to[0].tree, to[1].tree);
            ASSERT_LE(from.size(), 2u);
            if (from.size() == 2) {
                EXPECT_EQ(from[0].tree, from[1].tree) << "rank " << rank << " of " << p;
            }
        }
        EXPECT_TRUE(trees.to(0).empty());
        EXPECT_EQ(trees.from(0).size(), 2u);
    }
}

TEST(TwoTrees, NobodySendsOrReceivesTwiceInARound) {
    for (int p = 2; p <= 70; ++p) {
        const TwoTrees trees(p);
        for (int rank = 0; rank < p; ++rank)
            for (const auto& edges : {trees.to(rank), trees.from(rank)})
                if (edges.size() == 2) {
                    EXPECT_NE(edges[0].first_round % 2, edges[1].first_round % 2)
                        << "rank " << rank << " of " << p;
                }
    }
}

TEST(TwoTrees, ASegmentIsSentOnAfterItHasArrived) {
    for (int p = 2; p <= 70; ++p) {
        const TwoTrees trees(p);
        for (int rank = 1; rank < p; ++rank)
            for (const auto& from : trees.from(rank))
                for (const auto& to : trees.to(rank))
                    if (to.tree == from.tree) {
                        EXPECT_LT(to.first_round, from.first_round);
                    }
    }
}

TEST(TwoTrees, FillInTwoRoundsALevel) {
    for (int p = 2; p <= 1025; ++p) {
        EXPECT_LE(TwoTrees(p).rounds(1), 2 * ceil_log2(p) + 1) << p;
        EXPECT_EQ(TwoTrees(p).rounds(10), TwoTrees(p).rounds(1) + 18)
            << "a segment of each tree in two rounds";
    }
    EXPECT_EQ(TwoTrees(1).rounds(5), 0);
}

TEST(TwoTrees, RoundsAreRemembered) {
    for (const int p : {1, 2, 3, 8, 13, 3, 1})
        for (const std::size_t segments : {1, 2, 9})
            EXPECT_EQ(two_tree_rounds(p, segments), TwoTrees(p).rounds(segments)) << p;
}

// Every rank of a replay made the trees of all ranks, which took half of a decision's time for many ranks.
TEST(TwoTrees, AreMadeOnceForAllThatAsk) {
    const auto trees = two_trees(100);
    EXPECT_EQ(two_trees(100), trees);
    for (int p = 2; p < 40; ++p) EXPECT_EQ(two_trees(p)->rounds(3), TwoTrees(p).rounds(3)) << p;
    EXPECT_EQ(trees->rounds(3), TwoTrees(100).rounds(3)) << "whoever has them keeps them";
}

}  // namespace
}  // namespace echelon
