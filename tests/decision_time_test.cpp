// SPDX-License-Identifier: Apache-2.0
#include "mpi/decision_time.hpp"

#include "mpi/clock.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Allowance, is_a_hundredth_of_the_programs_time) {
    Allowance allowance;
    EXPECT_FALSE(allowance.covers(9)) << "where MPI_Init was not seen, since the first call";
    constexpr double long_ago = 1000;
    allowance.begin(now() - long_ago);
    EXPECT_TRUE(allowance.covers(9));
    EXPECT_FALSE(allowance.covers(1e6)) << "a program of three years";
}

TEST(Allowance, is_less_by_what_was_thought) {
    Allowance allowance;
    allowance.begin(now() - 100);
    EXPECT_TRUE(allowance.covers(0.9));
    {
        const DecisionTimer thinking(allowance);
        wait_until(now() + 0.2, true);
    }
    EXPECT_FALSE(allowance.covers(0.9)) << "of one second 0.2 are spent";
    EXPECT_TRUE(allowance.covers(0.2, 0.5));
    EXPECT_FALSE(allowance.covers(0.4, 0.5)) << "of half of it, too";
}

}  // namespace
}  // namespace echelon
