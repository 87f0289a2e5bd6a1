// SPDX-License-Identifier: Apache-2.0
#include "mpi/thinking.hpp"

#include "mpi/clock.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Allowance, is_a_hundredth_of_the_programs_time) {
    Allowance allowance;
    constexpr double long_ago = 1000;
    allowance.begin(now() - long_ago);
    EXPECT_TRUE(allowance.covers(9));
    EXPECT_FALSE(allowance.covers(1e6)) << "a program of three years";
    EXPECT_EQ(allowance.price(9), 9);
}

TEST(Allowance, is_what_was_thought_less_and_the_next_takes_as_long_as_the_longest) {
    Allowance allowance;
    constexpr double seconds = 0.01;
    allowance.begin(now());
    {
        const Thinking thinking(allowance);
        wait_until(now() + seconds, false);
    }
    EXPECT_GE(allowance.price(0), seconds);
    EXPECT_FALSE(allowance.covers(0)) << "all that was, was a thought";
    allowance.begin(now() - 1e6);
    EXPECT_TRUE(allowance.covers(seconds));
}

}  // namespace
}  // namespace echelon
