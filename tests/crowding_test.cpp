// SPDX-License-Identifier: Apache-2.0
// Ranks that were bound to one processor were measured as if each had its own.
#include "groups/crowding.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

/// Judges ranks that may use these processors.
bool crowded(const std::vector<std::vector<int>>& ranks) {
    std::vector<ProcessorSet> sets;
    for (const auto& processors : ranks) {
        ProcessorSet& set = sets.emplace_back(4);
        for (const int one : processors) set[std::size_t(one) / 64] |= std::uint64_t(1) << one % 64;
    }
    return is_crowded(sets);
}

TEST(Crowding, is_more_ranks_than_processors) {
    EXPECT_FALSE(crowded({}));
    EXPECT_FALSE(crowded({{0, 1}, {0, 1}}));
    EXPECT_TRUE(crowded({{0, 1}, {0, 1}, {0, 1}}));
    EXPECT_FALSE(crowded({{3}, {200}, {64}}));
    EXPECT_TRUE(crowded({{}})) << "none at all";
}

TEST(Crowding, is_some_ranks_that_are_bound_to_too_few) {
    EXPECT_TRUE(crowded({{1}, {1}}));
    EXPECT_TRUE(crowded({{0, 1, 2, 3}, {2}, {2}, {0, 1, 2, 3}})) << "though there are four processors";
    EXPECT_TRUE(crowded({{0, 1, 2, 3}, {2, 3}, {2, 3}, {2, 3}}));
    EXPECT_TRUE(crowded({{130}, {130}}));
}

TEST(Crowding, is_none_where_masks_overlap_and_all_find_a_place) {
    EXPECT_FALSE(crowded({{0, 1}, {0}}));
    EXPECT_FALSE(crowded({{0, 1, 2}, {0, 1}, {0}}));
    EXPECT_FALSE(crowded({{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
    std::vector<std::vector<int>> chain;
    for (int rank = 0; rank < 255; ++rank) chain.push_back({rank, rank + 1});
    chain.push_back({0});
    EXPECT_FALSE(crowded(chain)) << "all have to move for the last";
    chain.push_back({7});
    EXPECT_TRUE(crowded(chain));
}

}  // namespace
}  // namespace echelon
