// SPDX-License-Identifier: Apache-2.0
/// Asynchronous reduction to rank 0 over reserved routes, which only the end of the program waits for; and
/// reduction to all ranks in rounds.
#include "mpi/async_reduction.hpp"

#include "mpi/told_routes.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <bit>
#include <chrono>
#include <set>
#include <thread>

namespace echelon {
namespace {

constexpr std::chrono::milliseconds instant{1};

class LettersTest : public testing::Test {
protected:
    OwnWorld world;
    ToldRoutes routes{world};
    const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);

    Route told(MPI_Comm comm) {
        int number = rank_of(comm) == 0 ? routes.take().value() : -1;
        check(PMPI_Bcast(&number, 1, MPI_INT, 0, comm), "MPI_Bcast");
        return routes.route(comm, number);
    }
    static std::vector<double> arrived(AsyncReduction& letters) {
        for (;; std::this_thread::sleep_for(instant))
            if (auto least = letters.least()) return *least;
    }
};

TEST_F(LettersTest, BringTheLeastOfEachNumber) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction letters;
    EXPECT_FALSE(letters.under_way());
    letters.send({double(rank), -double(rank), 7}, route);
    EXPECT_TRUE(letters.under_way());
    if (rank == 0) {
        EXPECT_EQ(arrived(letters), (std::vector<double>{0, 1.0 - size, 7}));
    }
    letters.close();
}

TEST_F(LettersTest, NobodyWaitsForWhoHasNotWritten) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction letters;
    if (rank == 1) {  // waits until rank 0 has polled
        PMPI_Recv(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        letters.send({1}, route);
    } else {
        letters.send({2}, route);
    }
    if (rank == 0) {
        EXPECT_FALSE(letters.least());
        if (size > 1) PMPI_Send(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        EXPECT_EQ(arrived(letters), std::vector<double>{size > 1 ? 1.0 : 2.0});
    }
    letters.close();
}

TEST_F(LettersTest, ThatWereGivenUpAreNotTakenForLaterOnes) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction letters;
    for (const double number : {1, 2, 3}) {
        letters.send({number, double(rank)}, route);
        letters.give_up();
        EXPECT_FALSE(letters.under_way());
        EXPECT_FALSE(letters.least());
    }
    letters.send({4, 0}, route);
    if (rank == 0) {
        EXPECT_EQ(arrived(letters), (std::vector<double>{4, 0}));
    }
    letters.close();
}

TEST_F(LettersTest, OfACommunicatorThatEndsAreWaitedForLater) {
    AsyncReduction later;
    {
        const Comm comm = Comm::split(MPI_COMM_WORLD, 0, 0);
        AsyncReduction letters;
        if (rank == 1) PMPI_Recv(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        letters.send({1}, {.comm = comm.get(), .rank = rank, .size = size});
        letters.leave_to(later);
        EXPECT_FALSE(letters.under_way());
    }
    if (rank == 0 && size > 1) PMPI_Send(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    later.close();
}

class RoundsTest : public LettersTest {
protected:
    void SetUp() override {
        if (size == 1) GTEST_SKIP() << "one rank has nobody to tell";
    }
};

/// Advances the rounds like calls that synchronise: each round ends after all ranks have begun it.
std::vector<double> exchanged(AsyncReduction& letters, std::vector<double> numbers, const Route& route,
                              int& calls) {
    letters.begin_rounds(std::move(numbers), route);
    for (calls = 1;; ++calls) {
        EXPECT_TRUE(letters.in_rounds());
        PMPI_Barrier(MPI_COMM_WORLD);
        if (auto least = letters.next_round()) return *least;
    }
}

TEST_F(RoundsTest, BringTheLeastToAll) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction letters;
    int calls = 0;
    for (const double times : {1.0, 3.0}) {
        EXPECT_EQ(exchanged(letters, {times * rank, -times * rank, 7}, route, calls),
                  (std::vector<double>{0, times * (1 - size), 7}));
        EXPECT_FALSE(letters.in_rounds());
        EXPECT_FALSE(letters.under_way());
    }
    const int whole = 1 << (std::bit_width(unsigned(size)) - 1);
    EXPECT_EQ(calls, std::bit_width(unsigned(whole)) - 1 + (whole == size ? 0 : 2));
    letters.close();
}

TEST_F(RoundsTest, GiveWayToLetters) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction letters;
    letters.begin_rounds({1}, route);
    EXPECT_TRUE(letters.go_on());
    EXPECT_FALSE(letters.go_on());
    PMPI_Barrier(MPI_COMM_WORLD);
    letters.send({2}, route);
    EXPECT_TRUE(letters.under_way());
    EXPECT_FALSE(letters.in_rounds());
    if (rank == 0) {
        EXPECT_EQ(arrived(letters), std::vector<double>{2});
    }
    int calls = 0;
    EXPECT_EQ(exchanged(letters, {3.0 + rank}, route, calls), std::vector<double>{3});
    letters.close();
}

TEST_F(RoundsTest, OfACommunicatorThatEndsAreWaitedForLater) {
    AsyncReduction later;
    {
        const Comm comm = Comm::split(MPI_COMM_WORLD, 0, 0);
        AsyncReduction letters;
        letters.begin_rounds({1}, {.comm = comm.get(), .rank = rank, .size = size});
        letters.leave_to(later);
        EXPECT_FALSE(letters.in_rounds());
    }
    later.close();
}

TEST_F(LettersTest, OfTwoCommunicatorsDoNotMeet) {
    const Comm turned = Comm::split(MPI_COMM_WORLD, 0, -rank);
    const Comm half = Comm::split(MPI_COMM_WORLD, rank % 2, 0);
    const Route routes_of_all[] = {told(MPI_COMM_WORLD), told(turned.get()), told(half.get())};
    std::set<int> tags;
    for (const Route& route : routes_of_all) {
        tags.insert(route.first_tag);
        EXPECT_GE(route.first_tag, 2 * Route::tags)
            << "messages of MPI_COMM_WORLD, and those that make communicators";
    }
    EXPECT_EQ(tags.size(), 3u);
    AsyncReduction letters[3];
    for (const int i : {2, 0, 1}) letters[i].send({double(i)}, routes_of_all[i]);
    for (const int i : {0, 1, 2})
        if (routes_of_all[i].rank == 0) {
            EXPECT_EQ(arrived(letters[i]), std::vector<double>{double(i)});
        }
    for (AsyncReduction& one : letters) one.close();
}

}  // namespace
}  // namespace echelon
