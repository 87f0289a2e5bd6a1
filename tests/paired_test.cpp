// SPDX-License-Identifier: Apache-2.0
#include "tuner/paired.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Pairs, lead_if_the_clearer_ones_do) {
    const std::vector<Pair> clear(7, {0.9, 1});
    EXPECT_TRUE(below(clear, 1, Proof::much));
    EXPECT_FALSE(below(clear, 0.8, Proof::much));
    EXPECT_FALSE(above(clear, 1, Proof::much));
    EXPECT_FALSE(below({6, {0.9, 1}}, 1, Proof::much)) << "six may be chance";
    EXPECT_TRUE(below({3, {0.9, 1}}, 1, Proof::little));
    EXPECT_FALSE(below({}, 1, Proof::little));
}

TEST(Pairs, of_which_one_took_a_hundred_times_as_long_are_judged_by_the_others) {
    std::vector<Pair> pairs(16, {0.8, 1});
    pairs[3].ours = 100;
    EXPECT_TRUE(below(pairs, 1, Proof::much));
    EXPECT_DOUBLE_EQ(middle_ratio(pairs), 0.8);
}

TEST(Pairs, that_scatter_are_no_lead) {
    std::vector<Pair> pairs;
    for (int i = 0; i < 16; ++i) pairs.push_back({i % 2 == 0 ? 0.7 : 1.3, 1});
    EXPECT_FALSE(below(pairs, 1, Proof::little));
    EXPECT_FALSE(above(pairs, 1, Proof::little));
}

}  // namespace
}  // namespace echelon
