// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"

#include "core/collective.hpp"
#include "core/fold.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>

namespace echelon {
namespace {

TEST(Pattern, says_who_waits_for_whom) {
    std::map<Pattern, std::set<std::string_view>> alike;
    for (const Collective collective : all_collectives) alike[pattern(collective)].insert(name(collective));
    using Names = std::set<std::string_view>;
    EXPECT_EQ(alike[Pattern::to_all],
              (Names{"allreduce", "barrier", "reduce_scatter", "allgather", "alltoall"}));
    EXPECT_EQ(alike[Pattern::from_root], (Names{"bcast", "scatter"}));
    EXPECT_EQ(alike[Pattern::to_root], (Names{"reduce", "gather"}));
    EXPECT_EQ(alike[Pattern::prefix], (Names{"scan", "exscan"}));
}

TEST(Ranks, wrap_around_the_circle) {
    EXPECT_EQ(wrap(-1, 5), 4);
    EXPECT_EQ(wrap(-5, 5), 0);
    EXPECT_EQ(wrap(3, 5), 3);
    EXPECT_EQ(wrap(5, 5), 0);
    EXPECT_EQ(wrap(9, 5), 4);
    EXPECT_EQ(wrap(1, 1), 0);
}

TEST(Ranks, have_logarithms) {
    EXPECT_EQ(floor_log2(1), 0);
    EXPECT_EQ(floor_log2(7), 2);
    EXPECT_EQ(floor_log2(8), 3);
    EXPECT_EQ(ceil_log2(1), 0);
    EXPECT_EQ(ceil_log2(7), 3);
    EXPECT_EQ(ceil_log2(8), 3);
    EXPECT_EQ(ceil_log2(9), 4);
    EXPECT_EQ(ceil_log(9, 3), 2);
    EXPECT_EQ(ceil_log(10, 3), 3);
    EXPECT_EQ(ceil_log(1, 3), 0);
    EXPECT_EQ(ceil_log(2147483647, 2), 31);
    EXPECT_TRUE(is_power_of_two(1));
    EXPECT_TRUE(is_power_of_two(64));
    EXPECT_FALSE(is_power_of_two(63));
}

TEST(Rotation, brings_the_root_to_the_front) {
    const Rotation turned(3, 5);
    EXPECT_EQ(turned.virtual_rank(3), 0);
    EXPECT_EQ(turned.virtual_rank(4), 1);
    EXPECT_EQ(turned.virtual_rank(2), 4);
    for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(turned.rank(turned.virtual_rank(rank)), rank);
}

TEST(Fold, folds_six_ranks_onto_four) {
    const Fold fold(6);
    EXPECT_EQ(fold.size(), 4);
    EXPECT_EQ(fold.pairs(), 2);
    EXPECT_EQ(fold.role(0), Fold::Role::proxy);
    EXPECT_EQ(fold.role(1), Fold::Role::extra);
    EXPECT_EQ(fold.role(3), Fold::Role::extra);
    EXPECT_EQ(fold.role(4), Fold::Role::single);
    EXPECT_EQ(fold.partner(2), 3);
    EXPECT_EQ(fold.partner(3), 2);
    EXPECT_EQ(fold.virtual_rank(2), 1);
    EXPECT_EQ(fold.virtual_rank(5), 3);
}

TEST(Fold, leaves_powers_of_two_alone) {
    const Fold fold(8);
    EXPECT_EQ(fold.pairs(), 0);
    for (int rank = 0; rank < 8; ++rank) {
        EXPECT_EQ(fold.role(rank), Fold::Role::single);
        EXPECT_EQ(fold.virtual_rank(rank), rank);
    }
}

TEST(Fold, keeps_the_rank_that_is_asked_for) {
    const Fold fold(6, 3);
    EXPECT_EQ(fold.role(2), Fold::Role::extra);
    EXPECT_EQ(fold.role(3), Fold::Role::proxy);
    EXPECT_EQ(fold.role(0), Fold::Role::proxy) << "other pairs keep their even rank";
    EXPECT_EQ(fold.rank(1), 3);
    EXPECT_EQ(Fold(6, 5).rank(1), 2) << "rank 5 is alone anyway";
}

/// For any kept rank, virtual ranks 0 .. p'-1 are different ranks that continue, in rank order.
TEST(Fold, numbers_those_that_continue_in_rank_order) {
    for (int p = 1; p <= 33; ++p)
        for (int kept = 0; kept < p; ++kept) {
            const Fold fold(p, kept);
            EXPECT_NE(fold.role(kept), Fold::Role::extra);
            int extras = 0, last = -1;
            for (int rank = 0; rank < p; ++rank) {
                if (fold.role(rank) == Fold::Role::extra) {
                    ++extras;
                    EXPECT_EQ(fold.role(fold.partner(rank)), Fold::Role::proxy);
                } else {
                    EXPECT_EQ(fold.rank(fold.virtual_rank(rank)), rank);
                    EXPECT_EQ(fold.virtual_rank(rank), last + 1);
                    last = fold.virtual_rank(rank);
                }
            }
            EXPECT_EQ(extras, fold.pairs());
            EXPECT_EQ(last + 1, fold.size());
        }
}

}  // namespace
}  // namespace echelon
