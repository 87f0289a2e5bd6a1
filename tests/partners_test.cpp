// SPDX-License-Identifier: Apache-2.0
// Pairs of ranks between which a calibration measures messages.
#include "groups/partners.hpp"
#include "groups/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echelon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Partners, are_near_and_far_nodes_of_the_busiest_one) {
    const Partners of_nodes(placement_of_layout("7x2+1x4"), 8);
    EXPECT_THAT(of_nodes.inside, ElementsAre(Pair(14, 15), Pair(16, 17)));
    EXPECT_THAT(of_nodes.across, ElementsAre(Pair(14, 6), Pair(15, 7), Pair(16, 8), Pair(17, 9)));
    EXPECT_THAT(of_nodes.far, ElementsAre(Pairs{{14, 0}}, Pairs{{14, 2}}, Pairs{{14, 6}}, Pairs{{14, 12}}));
    EXPECT_THAT(of_nodes.ways_out, IsEmpty());
    EXPECT_THAT(of_nodes.inside_fan, ElementsAre(14, 15, 16, 17));
    EXPECT_THAT(of_nodes.between_fan, ElementsAre(14, 0, 2, 4, 6, 8, 10, 12, 1));
}

/// With a node of one rank as the only partner no card was seen: models took every rank to have its own.
TEST(Partners, across_use_the_card_of_a_node_among_smaller_ones) {
    const Partners found(placement_of_layout("1x4+3x1+1x3"), 8);
    EXPECT_THAT(found.across, ElementsAre(Pair(0, 7), Pair(1, 8), Pair(2, 9), Pair(3, 5)));
}

TEST(Partners, lead_out_of_a_switch_and_out_of_a_site) {
    const Partners found(placement_of_layout("12x1 on 4 switches on 2 sites"), 8);
    EXPECT_THAT(found.far, ElementsAre(Pairs{{0, 1}}, Pairs{{0, 2}})) << "on its switch";
    ASSERT_EQ(found.ways_out.size(), 2u);
    EXPECT_EQ(found.ways_out[0].level, Level::leaf_switch);
    EXPECT_THAT(found.ways_out[0].lone, ElementsAre(Pairs{{0, 3}}));
    EXPECT_THAT(found.ways_out[0].uplink, ElementsAre(Pair(0, 3), Pair(1, 4), Pair(2, 5)));
    EXPECT_EQ(found.ways_out[1].level, Level::site);
    EXPECT_THAT(found.ways_out[1].lone, ElementsAre(Pairs{{0, 6}}));
    EXPECT_EQ(found.ways_out[1].uplink.size(), 6u) << "of both switches of the site";
}

TEST(Partners, are_of_a_switch_with_several_nodes_and_some_others) {
    const Partners found(placement_of_layout("1x4+19x1 on switches 1+2+3+2+2+2+2+2+2+2"), 8);
    EXPECT_THAT(found.far, ElementsAre(Pairs{{4, 5}})) << "the node of four has no neighbour on its switch";
    ASSERT_EQ(found.ways_out.size(), 1u);
    EXPECT_THAT(found.ways_out[0].lone, ElementsAre(Pairs{{4, 0}}, Pairs{{4, 11}}, Pairs{{4, 17}}));
    EXPECT_THAT(found.ways_out[0].uplink, ElementsAre(Pair(4, 6), Pair(5, 7))) << "to the largest";
}

TEST(Partners, in_a_torus_are_so_many_links_away) {
    const Partners found(placements("0/8:a 1/8:b 2/8:c 3/8:d 4/8:e"), 8);
    EXPECT_EQ(found.hops, 3);
    EXPECT_THAT(found.far, ElementsAre(Pairs{{0, 3}}));
    EXPECT_EQ(found.most_hops, 4);
    EXPECT_THAT(found.farthest, ElementsAre(Pairs{{0, 4}}));
    EXPECT_THAT(found.between_fan, ElementsAre(0, 1)) << "over other links each";
}

}  // namespace
}  // namespace echelon
