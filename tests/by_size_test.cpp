// SPDX-License-Identifier: Apache-2.0
#include "hier/by_size.hpp"

#include <gtest/gtest.h>

#include <string>

namespace echelon {
namespace {

TEST(BySize, finds_the_value_whose_range_holds_the_bytes) {
    BySize<std::string> table;
    table.add(ByteRange::parse("8-4K"), "ring");
    EXPECT_EQ(table.find(7), nullptr);
    ASSERT_NE(table.find(8), nullptr) << "both ends belong to it";
    EXPECT_EQ(*table.find(8), "ring");
    ASSERT_NE(table.find(4096), nullptr);
    EXPECT_EQ(table.find(4097), nullptr);
}

TEST(BySize, the_later_of_two_wins_where_they_overlap) {
    BySize<std::string> table;
    table.add(ByteRange::parse("0-4K"), "ring");
    table.add(ByteRange::parse("1K-"), "chain");
    EXPECT_EQ(*table.find(1023), "ring");
    EXPECT_EQ(*table.find(1024), "chain");
    EXPECT_EQ(*table.find(ByteRange().to), "chain") << "nothing is beyond an open range";
    table.add({}, "linear");
    EXPECT_EQ(*table.find(0), "linear");
    EXPECT_EQ(table.begin()->value, "ring") << "rows stay in the order in which they came";
}

TEST(BySize, holds_nothing_at_first) {
    const BySize<int> table;
    EXPECT_TRUE(table.empty());
    EXPECT_EQ(table.find(0), nullptr);
}

}  // namespace
}  // namespace echelon
