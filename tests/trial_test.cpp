// SPDX-License-Identifier: Apache-2.0
// Trials in running calls: who runs when, and who stays. Counts and times alone; no MPI is called.
#include "cache/trial.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace echelon {
namespace {

std::vector<Recipe> three() { return {Recipe::parse("ring"), Recipe::parse("binomial"), Recipe()}; }

TEST(Trial, tries_others_in_so_many_percent_of_the_calls) {
    Trial trial(three(), 10);
    EXPECT_EQ(trial.next(), 0u);
    int others = 0, calls = 1;
    trial.took(0, 1);
    for (; !trial.finished() && calls < 1000; ++calls) {
        const std::size_t now = trial.next();
        others += now == 0 ? 0 : 1;
        trial.took(now, double(now + 1));
    }
    EXPECT_EQ(others, 14) << "six and one to warm up, each of two";
    EXPECT_LE(others * 10, calls);
    EXPECT_EQ(trial.times(), (std::vector<Seconds>{1, 2, 3}));
}

TEST(Trial, the_first_call_and_outliers_do_not_count) {
    Trial trial({Recipe::parse("ring"), Recipe()}, 50);
    for (int i = 0; i < 14; ++i) trial.took(std::size_t(i % 2), i < 2 ? 100 : i == 5 ? 50 : 1);
    EXPECT_TRUE(trial.finished());
    EXPECT_EQ(trial.times(), (std::vector<Seconds>{1, 1}));
}

// A challenger was tried in every tenth call: in a program whose every other call takes longer, always in the
// shorter ones, and it won although it was slower.
TEST(Trial, is_fair_in_programs_with_a_rhythm) {
    for (const int percent : {4, 10, 15, 33, 50})
        for (const int period : {1, 2, 3, 6}) {
            Trial trial(three(), percent);
            int calls = 0;
            for (; !trial.finished() && calls < 1000; ++calls) {
                const std::size_t now = trial.next();
                trial.took(now, (now == 0 ? 1.0 : 1.2) + (calls % period == 0 ? 10 : 0));
            }
            EXPECT_LT(calls, 1000);
            EXPECT_EQ(winner_of(three(), trial.times()), 0u) << percent << " % in a rhythm of " << period;
        }
}

TEST(Trial, goes_on_without_who_cannot_serve) {
    Trial trial(three(), 50);
    trial.drop(1);
    int calls = 0;
    for (; !trial.finished() && calls < 100; ++calls) {
        const std::size_t now = trial.next();
        ASSERT_NE(now, 1u);
        trial.took(now, 1);
    }
    EXPECT_LT(calls, 100);
    EXPECT_EQ(trial.times()[1], std::numeric_limits<Seconds>::max());
}

TEST(Winner, the_chosen_one_stays_unless_another_leads_clearly) {
    EXPECT_EQ(winner_of(three(), {1.00, 0.97, 2.0}), 0u);
    EXPECT_EQ(winner_of(three(), {1.00, 0.90, 2.0}), 1u);
    EXPECT_EQ(winner_of(three(), {1.00, 1.20, 0.5}), 2u);
}

TEST(Winner, slower_than_native_never_stays) {
    EXPECT_EQ(winner_of(three(), {1.00, 1.20, 0.97}), 2u);
    EXPECT_EQ(winner_of(three(), {1.00, 1.20, 0.99}), 0u);
}

}  // namespace
}  // namespace echelon
