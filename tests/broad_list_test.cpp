// SPDX-License-Identifier: Apache-2.0
#include "bench/broad_list.hpp"

#include "flat/algorithm.hpp"
#include "hier/phase.hpp"
#include "hier/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echelon::bench {
namespace {

using testing::ElementsAre;

Placement on_one_node(int p) { return Placement::from(std::vector<Location>(std::size_t(p))); }

std::vector<std::string> texts(const std::vector<Groups>& all) {
    std::vector<std::string> texts;
    for (const Groups& groups : all) texts.push_back(to_string(groups));
    return texts;
}

TEST(BroadList, EveryRecipeServesItsCollectiveForAnyP) {
    for (const Collective collective : all_collectives)
        for (int p = 2; p <= 33; ++p)
            for (const Recipe& recipe : broad_list(collective, on_one_node(p)))
                EXPECT_NO_THROW((void)resolve(recipe, collective, on_one_node(p), p - 1, {}))
                    << name(collective) << ' ' << p << ' ' << to_string(recipe);
}

TEST(BroadList, HoldsEveryRowOfTheCatalogAndEveryShape) {
    for (const Collective collective : all_collectives) {
        const auto recipes = broad_list(collective, on_one_node(16));
        for (const Algorithm& row : catalog()) {
            if (row.collective != collective) continue;
            EXPECT_THAT(recipes, testing::Contains(Recipe::parse(row.name))) << name(collective);
        }
        for (const ShapeRow& row : shape_rows())
            if (row.collective == collective) {
                EXPECT_TRUE(
                    std::ranges::any_of(recipes, [&](const Recipe& one) { return one.kind == row.shape; }))
                    << "bench/broad_list.cpp has no pair for " << name(row.shape) << " as "
                    << name(collective);
            }
    }
}

TEST(BroadList, NothingTwice) {
    for (const Collective collective : all_collectives) {
        const auto recipes = broad_list(collective, on_one_node(12));
        for (std::size_t i = 0; i < recipes.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(recipes[i] == recipes[j]) << to_string(recipes[i]);
    }
}

TEST(BroadGroups, FewMiddlingAndMany) {
    EXPECT_THAT(texts(broad_groups(on_one_node(8))), ElementsAre("sqrt", "G=2", "size=2"));
    EXPECT_THAT(texts(broad_groups(on_one_node(100))), ElementsAre("sqrt", "G=2", "G=8", "G=32", "size=2"));
}

TEST(BroadGroups, OneDivisionHasOneName) {
    EXPECT_THAT(texts(broad_groups(on_one_node(4))), ElementsAre("sqrt"));  // is G=2 is size=2
    EXPECT_THAT(texts(broad_groups(placements("a a b b"))), ElementsAre("node"));
    EXPECT_THAT(texts(broad_groups(placements("a b a b"))), ElementsAre("node", "sqrt"));
    EXPECT_THAT(texts(broad_groups(placements("a.0.0.0 a.0.0.1 a.0.0.0 a.0.0.1"))),
                ElementsAre("l3", "sqrt"));
}

TEST(BroadGroups, TwoRanksCannotBeDivided) { EXPECT_TRUE(broad_groups(on_one_node(2)).empty()); }

}  // namespace
}  // namespace echelon::bench
