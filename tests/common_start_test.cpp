// SPDX-License-Identifier: Apache-2.0
// Basis of measurements: a common start on all ranks, windows of the right length, turns.
#include "mpi/common_start.hpp"
#include "mpi/turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace {

using namespace echelon;

std::function<void()> sleeping(double seconds) {
    return [seconds] { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); };
}

bool same_on_all_ranks(const std::vector<double>& own) {
    std::vector<double> opposite;
    for (const double one : own) opposite.push_back(-one);
    const CommonStart start(MPI_COMM_WORLD);
    const std::vector<double> greatest = start.greatest(own), least = start.greatest(opposite);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (greatest[i] != -least[i]) return false;
    return true;
}

TEST(CommonStart, says_of_each_piece_of_a_series_what_it_took_on_the_slowest_rank) {
    CommonStart start(MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::vector<CommonStart::Work> works{{.work = sleeping(2e-3), .working = 2e-3},
                                               {.prepare = sleeping(3e-3),
                                                .work = sleeping(rank == 1 ? 9e-3 : 0),
                                                .preparing = 3e-3,
                                                .working = 9e-3},
                                               {.work = sleeping(0), .working = 2e-3}};
    const std::vector<CommonStart::Lap> laps = start.series(works);
    ASSERT_EQ(laps.size(), works.size());
    EXPECT_GE(laps[0].seconds, 2e-3);
    EXPECT_GE(laps[1].seconds, 9e-3);
    EXPECT_GE(laps[1].preparing, 3e-3);
    std::vector<double> all;
    for (const CommonStart::Lap& one : laps)
        all.insert(all.end(), {one.seconds, one.preparing, double(one.counts)});
    EXPECT_TRUE(same_on_all_ranks(all));
}

TEST(CommonStart, does_not_count_what_began_late_and_widens_the_windows) {
    CommonStart start(MPI_COMM_WORLD);
    if (!start.clocks_shared())
        GTEST_SKIP() << "each node has a clock of its own: nothing begins late behind a barrier";
    const std::vector<CommonStart::Work> works{{.work = sleeping(40e-3), .working = 2e-3},
                                               {.work = sleeping(0), .working = 2e-3}};
    ASSERT_LT(start.window(works[0]), 40e-3);
    EXPECT_FALSE(start.series(works)[1].counts) << "its window was over before the ranks were there";
    EXPECT_GT(start.window(works[0]), 40e-3);
}

TEST(Turns, makes_as_many_rounds_as_are_asked_for) {
    CommonStart start(MPI_COMM_WORLD);
    Turns turns(start, MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i) turns.add([] {}, sleeping(2e-3), false);
    const std::vector<Timing> timings = turns.run({.fewest = 2, .rounds = 7});
    ASSERT_EQ(timings.size(), 3u);
    for (const Timing& one : timings) {
        EXPECT_THAT(one.samples, ::testing::SizeIs(7));
        EXPECT_THAT(one.samples, ::testing::Each(::testing::Ge(2e-3)));
        EXPECT_TRUE(same_on_all_ranks(one.samples));
    }
}

TEST(Turns, spends_no_time_on_who_is_hopeless_after_the_first_calls) {
    CommonStart start(MPI_COMM_WORLD);
    Turns turns(start, MPI_COMM_WORLD);
    turns.add([] {}, sleeping(0.3), false);
    turns.add([] {}, sleeping(2e-3), false);
    const std::vector<Timing> timings = turns.run({.fewest = 3, .rounds = 5, .hopeless = 1.5});
    EXPECT_THAT(timings[0].samples, ::testing::ElementsAre(::testing::Ge(0.3)));
    EXPECT_THAT(timings[1].samples, ::testing::SizeIs(5));
}

TEST(Turns, makes_the_fewest_rounds_though_time_is_over) {
    CommonStart start(MPI_COMM_WORLD);
    Turns turns(start, MPI_COMM_WORLD);
    turns.add([] {}, sleeping(2e-3), false);
    EXPECT_THAT(turns.run({.fewest = 3, .rounds = 50, .deadline = now()}).front().samples,
                ::testing::SizeIs(3));
}

}  // namespace
