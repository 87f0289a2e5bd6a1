// SPDX-License-Identifier: Apache-2.0
// Layouts in words: ranks with equal words are placed alike, and most words give the place of every rank.
#include "groups/layout.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace echelon {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Layout, names_a_placement_and_gives_it_back) {
    for (const char* layout :
         {"16x4", "16x4 cyclic", "1x8", "8x1", "16x4 cyclic on 2 sites", "15x4+1x2", "1x1+7x6",
          "3x4+1x2 cyclic", "9x1 on sites 6+3", "2x3+7x2 cyclic on sites 1+6+2", "16x4 on 4 switches",
          "9x1 on switches 6+3", "16x4 cyclic on 4 switches on 2 sites",
          "9x1 on switches 2+4+3 on sites 6+3"}) {
        EXPECT_EQ(layout_of(placement_of_layout(layout)), layout);
        EXPECT_TRUE(tells_every_rank(layout)) << layout;
    }
    EXPECT_EQ(layout_of(placements("a a b")), "1x2+1x1");
    EXPECT_EQ(layout_of(placements("a b a")), "1x2+1x1 cyclic");
    EXPECT_THAT(layout_of(placements("a b b a c")), StartsWith("5 on 3 #"));
    EXPECT_THAT(layout_of(placements("a b b a")), StartsWith("2x2 mixed #"));
    EXPECT_EQ(layout_of(placements("here:a here:b there:c")), "3x1 on 2 sites");
    EXPECT_EQ(placement_of_layout("8x2 on 2 sites").site(7), 0);
    EXPECT_EQ(placement_of_layout("8x2 on 2 sites").site(8), 1);
    EXPECT_EQ(layout_of(placements("here:v:a here:w:b there:v:c")), "3x1 on 3 switches on 2 sites");
    EXPECT_EQ(layout_of(placements("here:v:a there:w:b")), "2x1 on 2 sites") << "switches tell nothing more";
    EXPECT_THAT(layout_of(placements(":v:a :w:b :v:c")), StartsWith("3x1 on 2 switches #"));
    EXPECT_EQ(placement_of_layout("8x2 on 4 switches on 2 sites").leaf_switch(4), 1);
    EXPECT_EQ(placement_of_layout("8x2 on 4 switches on 2 sites").site(4), 0);
    EXPECT_EQ(extent_of_layout("16x4 on 4 switches").sites, 1);
    EXPECT_EQ(placement_of_layout("2x3+1x2 cyclic").nodes()[6], 0);
    EXPECT_EQ(placement_of_layout("2x3+1x2 cyclic").nodes()[7], 1) << "the third node is full";
    const Extent extent = extent_of_layout("2x3+7x2 cyclic on sites 1+6+2");
    EXPECT_EQ(extent.nodes, 9);
    EXPECT_EQ(extent.sites, 3);
}

// Words of earlier versions, and of placements whose words would be too long.
TEST(Layout, that_does_not_tell_every_rank_is_taken_for_blocks) {
    for (const char* layout : {"62 on 16", "16x4 mixed", "16x4 mixed #0123abcd", "9x1 on 2 sites #0123abcd",
                               "62 on 16 on 3 sites"})
        EXPECT_FALSE(tells_every_rank(layout)) << layout;
    for (const auto& [layout, old] : {std::pair("62 on 16", true),
                                      {"16x4 mixed", true},
                                      {"16x4", false},
                                      {"16x4 mixed #0123abcd", false}})
        EXPECT_EQ(is_old(layout), old) << layout;
    EXPECT_EQ(placement_of_layout("62 on 16").node_count(), 16);
    EXPECT_EQ(placement_of_layout("16x4 mixed #0123abcd"), placement_of_layout("16x4"));
}

TEST(Layout, of_a_wrong_form_is_refused) {
    for (const char* wrong : {"16 by 4",
                              "4 on 16",
                              "4x1 on 5 sites",
                              "4x1 on 1 sites",
                              "4x1 on 2 site",
                              "on 2 sites",
                              "",
                              "0x4",
                              "4x4+",
                              "4x4+2",
                              "4x4 on sites 4",
                              "4x4 on sites 3+2",
                              "4x4 on sites 2+1",
                              "4x4 #12",
                              "4x1 on 5 switches",
                              "4x1 on switches 4",
                              "4x1 on 2 sites on 2 switches",
                              "4x1 on 2 switches on sites 3+1",
                              "4x4 mixed #xyzxyzxy",
                              "62 on 16 cyclic",
                              "1048577x1",
                              "1024x1024+1x1",
                              "99999999999x1"}) {
        EXPECT_THROW((void)placement_of_layout(wrong), Error) << wrong;
        EXPECT_EQ(extent_of_layout(wrong).nodes, 0) << wrong;
    }
}

// Six nodes on one site and three on another had the words of alternating nodes: measurements of one
// placement served the other.
TEST(Layout, of_sites_in_another_order_is_another) {
    const std::string blocks = layout_of(placements("a:0 a:1 a:2 a:3 a:4 a:5 b:6 b:7 b:8")),
                      strided = layout_of(placements("a:0 a:1 b:2 a:3 b:4 a:5 b:6 a:7 a:8"));
    EXPECT_EQ(blocks, "9x1 on sites 6+3");
    EXPECT_THAT(strided, StartsWith("9x1 on 2 sites #"));
}

// Rows of a torus are alike wherever they are; every second node of one is not.
TEST(Layout, of_a_torus_tells_how_its_nodes_lie_to_each_other) {
    const auto layout = [](const std::string& words) { return layout_of(placements(words)); };
    const std::string row = layout("0.0/4.3:a 1.0/4.3:b 2.0/4.3:c");
    EXPECT_THAT(row, StartsWith("3x1 #"));
    EXPECT_EQ(extent_of_layout(row).nodes, 3);
    EXPECT_EQ(layout("3.2/4.3:a 0.2/4.3:b 1.2/4.3:c"), row);
    EXPECT_NE(layout("0.0/4.3:a 2.0/4.3:b 3.0/4.3:c"), row);
    EXPECT_NE(layout("0.0/5.3:a 1.0/5.3:b 2.0/5.3:c"), row);
}

TEST(Layout, is_equal_for_equal_placements_alone) {
    std::mt19937 random(1);
    std::vector<std::pair<std::string, Placement>> known;
    for (int i = 0; i < 400; ++i) {
        std::vector<Location> ranks(1 + random() % 5);
        for (Location& one : ranks) {
            one.node = random() % 3;
            one.region.site = 1 + one.node % (1 + i % 2);
            if (i % 3 == 0) one.region.leaf_switch = 1 + one.node / 2;
        }
        const Placement placement = Placement::from(ranks);
        const std::string layout = layout_of(placement);
        if (tells_every_rank(layout)) {
            EXPECT_EQ(placement_of_layout(layout), placement) << layout;
        }
        for (const auto& [other, of] : known)
            EXPECT_EQ(other == layout, of == placement) << layout << ", " << other;
        known.emplace_back(layout, placement);
    }
    std::vector<Location> many(500);
    for (Location& one : many) one.node = random() % 60;
    EXPECT_THAT(layout_of(Placement::from(many)), HasSubstr("500 on 60 #")) << "no longer than one can read";
}

}  // namespace
}  // namespace echelon
