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
    EXPECT_EQ(trial.times(), (std::vector<Trial::Time>{{1, 0}, {2, 0}, {3, 0}}));
}

TEST(Trial, the_first_call_and_outliers_do_not_count) {
    Trial trial({Recipe::parse("ring"), Recipe()}, 50);
    for (int i = 0; i < 14; ++i) trial.took(std::size_t(i % 2), i < 2 ? 100 : i == 5 ? 50 : 1);
    EXPECT_TRUE(trial.finished());
    EXPECT_EQ(trial.times(), (std::vector<Trial::Time>{{1, 0}, {1, 0}}));
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
    EXPECT_EQ(trial.times()[1].seconds, std::numeric_limits<Seconds>::max());
}

// The challenger's first six calls were lucky: it won although it is as fast as the chosen one.
TEST(Trial, goes_on_while_noise_could_have_won) {
    Trial trial({Recipe::parse("ring"), Recipe()}, 50);
    int calls[2] = {0, 0};
    const auto run = [&] {
        while (!trial.finished() && calls[0] < 1000) {
            const std::size_t now = trial.next();
            const int call = calls[now]++;
            trial.took(now, (now == 1 && call < 7 ? 0.95 : 1) + 0.1 * (call % 5));
        }
    };
    run();
    EXPECT_EQ(calls[1], 7);
    EXPECT_EQ(winner_of(trial.candidates(), trial.times()), 1u);
    EXPECT_FALSE(is_sure(trial.times(), 1));
    EXPECT_TRUE(trial.go_on());
    EXPECT_FALSE(trial.finished());
    run();
    EXPECT_EQ(calls[1], 13);
    EXPECT_TRUE(trial.go_on());
    run();
    EXPECT_EQ(calls[1], 25);
    EXPECT_EQ(winner_of(trial.candidates(), trial.times()), 0u);
    EXPECT_FALSE(trial.go_on()) << "enough is enough";
}

TEST(Winner, is_sure_if_it_leads_by_more_than_both_may_be_off) {
    EXPECT_TRUE(is_sure({{1.0, 0.05}, {0.9, 0.04}}, 1));
    EXPECT_FALSE(is_sure({{1.0, 0.05}, {0.9, 0.06}}, 1));
    EXPECT_TRUE(is_sure({{1.0, 0.5}, {0.9, 0.5}}, 0)) << "nothing changes";
}

TEST(Winner, the_chosen_one_stays_unless_another_leads_clearly) {
    EXPECT_EQ(winner_of(three(), {{1.00, 0}, {0.97, 0}, {2.0, 0}}), 0u);
    EXPECT_EQ(winner_of(three(), {{1.00, 0}, {0.90, 0}, {2.0, 0}}), 1u);
    EXPECT_EQ(winner_of(three(), {{1.00, 0}, {1.20, 0}, {0.5, 0}}), 2u);
}

TEST(Winner, slower_than_native_never_stays) {
    EXPECT_EQ(native_or_first(three(), {{1.00, 1}, {0.50, 1}, {0.97, 1}}), 2u);
    EXPECT_EQ(native_or_first(three(), {{1.00, 1}, {0.50, 1}, {0.99, 1}}), 0u);
    EXPECT_EQ(winner_of(three(), {{1.00, 0}, {1.20, 0}, {0.97, 0}}), 2u);
    EXPECT_EQ(winner_of(three(), {{1.00, 0}, {1.20, 0}, {0.99, 0}}), 0u);
}

}  // namespace
}  // namespace echelon
