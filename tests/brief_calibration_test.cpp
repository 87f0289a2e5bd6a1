// SPDX-License-Identifier: Apache-2.0
/// Without a profile, a communicator with many calls is calibrated once, briefly.
#include "mpi/clock.hpp"
#include "mpi/seen_link.hpp"
#include "tuner/tuner.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <echelon/echelon.hpp>

namespace echelon {
namespace {

/// Seconds of the slowest of `calls` calls, which start `pause` seconds apart. Checks their sums of ones.
double slowest_of(int calls, MPI_Comm comm, double pause = 0) {
    double slowest = 0;
    for (int i = 0; i < calls; ++i) {
        wait_until(now() + pause, false);
        const int one = 1;
        int sum = 0, size = 0;
        MPI_Comm_size(comm, &size);
        const double began = MPI_Wtime();
        allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        slowest = std::max(slowest, MPI_Wtime() - began);
        EXPECT_EQ(sum, size);
    }
    return slowest;
}

// Messages of the platform take 10 us and 1 ns a byte.
TEST(SeenLink, is_what_a_message_between_two_ranks_takes_on_all_ranks) {
    const Hockney seen = seen_link(2, 5, MPI_COMM_WORLD);
    EXPECT_NEAR(seen.alpha, 10e-6, 0.1e-6);
    EXPECT_NEAR(seen.beta, 1e-9, 0.01e-9);
}

TEST(BriefCalibration, happens_once_where_calls_keep_coming) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    slowest_of(20, comm);
    const State& state = *State::known(comm);
    EXPECT_EQ(Tuner::of(state).machine().profile(), nullptr) << "some calls are not worth it";
    // Its placement inside the nodes is not requested either.
    EXPECT_FALSE(state.own().knows_placement(true, true));
    slowest_of(600, comm);
    EXPECT_EQ(Tuner::of(state).machine().profile(), nullptr)
        << "nor is it where they have not lasted two seconds";
    for (int more = 0; Tuner::of(state).machine().profile() == nullptr && more < 20; ++more)
        EXPECT_LT(slowest_of(300, comm, 0.01), 0.05);
    ASSERT_NE(Tuner::of(state).machine().profile(), nullptr);
    EXPECT_TRUE(Tuner::of(*State::known(comm)).shared().prior_machine().was_looked_at());
    ASSERT_TRUE(Tuner::of(state).machine().profile()->parameters);
    EXPECT_GT(message_time(Tuner::of(state).machine().profile()->parameters->machine.between, 8), 0);
    const auto profile = Tuner::of(state).machine().profile();
    slowest_of(600, comm);
    EXPECT_EQ(Tuner::of(state).machine().profile(), profile);
    for (int more = 0; Tuner::of(state).trials().findings().empty() && more < 20; ++more)
        slowest_of(300, comm);
    // The model's proposal was tried against the native collective.
    ASSERT_EQ(Tuner::of(state).trials().findings().size(), 1u);
    EXPECT_GT(Tuner::of(state).trials().findings().begin()->second.native, 0);
    EXPECT_LE(Tuner::of(state).trials().findings().begin()->second.seconds,
              1.03 * Tuner::of(state).trials().findings().begin()->second.native);
    MPI_Comm_free(&comm);
}

// Each communicator was calibrated anew, and the findings of the first calibration were lost with it.
TEST(BriefCalibration, serves_later_communicators_which_are_not_looked_at_again) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    slowest_of(20, comm);
    State& state = *State::known(comm);
    PriorMachine& machine = Tuner::of(state).shared().prior_machine();
    ASSERT_TRUE(machine.was_looked_at());
    const auto of_looks = machine.profile(PriorMachine::Known::by_looks, false);
    const auto of_all = machine.profile(PriorMachine::Known::by_all, false);
    EXPECT_NE(of_looks->parameters->machine.between, of_all->parameters->machine.between);
    for (int more = 0; !Tuner::of(state).machine().was_looked_at() && more < 40; ++more)
        slowest_of(300, comm, 0.01);
    EXPECT_TRUE(Tuner::of(state).machine().was_looked_at()) << "rank 0 has said that it knows the machine";
    EXPECT_EQ(Tuner::of(state).machine().profile(), nullptr) << "and nobody measured";
    EXPECT_EQ(machine.profile(PriorMachine::Known::by_looks, false), of_looks);
    MPI_Comm_free(&comm);
}

TEST(BriefCalibration, leaves_few_ranks_alone) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm few = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 8, rank, &few);
    slowest_of(600, few);
    EXPECT_EQ(Tuner::of(*State::known(few)).machine().profile(), nullptr);
    MPI_Comm_free(&few);
}

}  // namespace
}  // namespace echelon
