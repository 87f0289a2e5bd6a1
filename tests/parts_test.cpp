// SPDX-License-Identifier: Apache-2.0
#include "groups/parts.hpp"
#include "groups/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace echelon {
namespace {

using testing::Contains;
using testing::ElementsAre;

std::vector<std::string> kinds(const std::string& layout, std::size_t most = 100) {
    const Placement placement = placement_of_layout(layout);
    std::vector<std::string> made;
    for (const Siblings& siblings : usual_parts(placement, most)) {
        const Ranks& part = siblings.front();
        EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
        made.push_back(layout_of(placement.of(part)));
    }
    return made;
}

TEST(UsualParts, are_of_each_kind_one) {
    // All; rows and columns of 4 x 4, which are nodes and one rank of each; halves; every second rank; rows
    // and columns of 8 x 2.
    EXPECT_THAT(kinds("4x4"), ElementsAre("4x4", "1x4", "4x1", "2x4", "4x2", "1x2", "2x1"));
    for (const char* const layout : {"9x4", "3x12 cyclic", "5x4+2x3", "13x1", "1x16"}) {
        const auto made = kinds(layout);
        EXPECT_EQ(made.front(), layout);
        EXPECT_EQ(std::set<std::string>(made.begin(), made.end()).size(), made.size()) << layout;
    }
}

TEST(UsualParts, of_uneven_numbers) {
    const auto made = kinds("9x4");
    for (const char* const part :
         {"1x4+1x2", "1x2+1x4", "6x1", "9x1", "4x4+1x2", "1x2+4x4", "2x4+1x1", "9x2", "3x4"})
        EXPECT_THAT(made, Contains(part));
    // Seven ranks form no grid, and their halves have three and four ranks.
    EXPECT_THAT(kinds("7x1"), ElementsAre("7x1", "3x1", "4x1", "2x1"));
}

TEST(UsualParts, come_with_what_is_made_beside_them) {
    const Placement placement = placement_of_layout("3x4+1x1");
    for (const Siblings& siblings : usual_parts(placement, 100)) {
        std::set<int> ranks;
        std::size_t count = 0;
        for (const Ranks& one : siblings) {
            EXPECT_GE(one.size(), 2u);
            ranks.insert(one.begin(), one.end());
            count += one.size();
        }
        EXPECT_EQ(ranks.size(), count) << "a rank is in two";
        if (siblings.front().size() == 13) {
            EXPECT_EQ(siblings.size(), 1u);
        }
        if (siblings.front() == Ranks{0, 4, 8, 12}) {
            EXPECT_EQ(siblings, (Siblings{{0, 4, 8, 12}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}}));
        }
        if (siblings.front() == Ranks{0, 1, 2, 3}) {
            EXPECT_EQ(siblings, (Siblings{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}))
                << "one rank alone calls nothing";
        }
    }
}

TEST(UsualParts, are_no_more_than_asked_for) {
    EXPECT_EQ(kinds("9x4", 5).size(), 5u);
    EXPECT_THAT(kinds("2x1"), ElementsAre("2x1"));
}

TEST(MeasuredParts, have_rank_0) {
    for (const char* const layout : {"9x4", "3x12 cyclic", "5x4+2x3", "13x1", "1x16"}) {
        const auto parts = measured_parts(placement_of_layout(layout));
        EXPECT_GE(parts.size(), 2u);
        for (const Ranks& part : parts) EXPECT_EQ(part.front(), 0) << layout;
    }
    EXPECT_THAT(measured_parts(placement_of_layout("4x4")),
                ElementsAre(Ranks{0, 4, 8, 12}, Ranks{0, 1, 2, 3}, Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace echelon
