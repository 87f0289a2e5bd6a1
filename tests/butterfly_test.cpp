// SPDX-License-Identifier: Apache-2.0
#include "flat/butterfly.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

using Order = Butterfly::Order;

TEST(Butterfly, NearFirstMeetsNeighboursFirst) {
    const Butterfly five(8, 5, Order::near_first);
    EXPECT_EQ(five.peer(0), 4);
    EXPECT_EQ(five.peer(1), 7);
    EXPECT_EQ(five.peer(2), 1);
    EXPECT_EQ(five.kept(0), (PartRange{4, 4}));
    EXPECT_EQ(five.given(0), (PartRange{0, 4}));
    EXPECT_EQ(five.kept(1), (PartRange{4, 2}));
    EXPECT_EQ(five.part(), 5);  // 101 reads the same from behind
    EXPECT_EQ(Butterfly(8, 3, Order::near_first).part(), 6);
}

TEST(Butterfly, FarFirstEndsWithThePartOfTheRank) {
    const Butterfly five(8, 5, Order::far_first);
    EXPECT_EQ(five.peer(0), 1);
    EXPECT_TRUE(five.peer_is_before(0));
    EXPECT_EQ(five.kept(0), (PartRange{4, 4}));
    EXPECT_EQ(five.kept(1), (PartRange{4, 2}));
    EXPECT_EQ(five.kept(2), (PartRange{5, 1}));
    EXPECT_EQ(five.part(), 5);
}

TEST(Butterfly, PartnersGiveWhatTheOtherKeeps) {
    for (const Order order : {Order::near_first, Order::far_first})
        for (int rank = 0; rank < 32; ++rank) {
            const Butterfly own(32, rank, order);
            for (int step = 0; step < own.steps(); ++step) {
                const Butterfly peer(32, own.peer(step), order);
                EXPECT_EQ(peer.peer(step), rank);
                EXPECT_EQ(peer.kept(step), own.given(step));
                EXPECT_EQ(peer.given(step), own.kept(step));
            }
            EXPECT_EQ(own.kept(own.steps() - 1), (PartRange{own.part(), 1}));
        }
}

TEST(Butterfly, OneRankHasNobodyToMeet) {
    EXPECT_EQ(Butterfly(1, 0, Order::near_first).steps(), 0);
    EXPECT_EQ(Butterfly(1, 0, Order::near_first).part(), 0);
}

}  // namespace
}  // namespace echelon
