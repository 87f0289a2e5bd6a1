// SPDX-License-Identifier: Apache-2.0
/// Asynchronous reduction to rank 0 over reserved routes: no rank waits for a rank that comes late.
#include "mpi/async_reduction.hpp"

#include "mpi/told_routes.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <bit>
#include <set>
#include <thread>

namespace echelon {
namespace {

class Reductions : public testing::Test {
protected:
    OwnWorld world;
    ToldRoutes routes{world};
    /// Reductions that are over or abandoned.
    AsyncReduction abandoned;
    const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);

    void TearDown() override { abandoned.close(); }
    Route told(MPI_Comm comm) {
        int number = rank_of(comm) == 0 ? routes.take().value() : -1;
        check(PMPI_Bcast(&number, 1, MPI_INT, 0, comm), "MPI_Bcast");
        return routes.route(comm, number);
    }
    /// Polls until the numbers of the ranks below have arrived and are passed on.
    static std::vector<double> polled(AsyncReduction& reduction) {
        for (; !reduction.is_complete(); std::this_thread::yield()) reduction.step(false);
        return reduction.numbers();
    }
    /// The numbers of a rank: two for minima, two for sums.
    static void begin(AsyncReduction& reduction, double times, const Route& route) {
        const double own = times * (route.rank + 1);
        reduction.begin({own, -own}, {own, 1}, route);
    }
    /// The result at rank 0.
    static std::vector<double> result(double times, int p) {
        return {times, -times * p, times * p * (p + 1) / 2, double(p)};
    }
    static void receive_from(int other) {
        check(PMPI_Recv(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    static void send_to(int other) {
        check(PMPI_Send(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD), "MPI_Send");
    }
    static int levels(int p) { return std::bit_width(unsigned(p - 1)); }
};

TEST_F(Reductions, advance_by_one_level_per_synchronising_call) {
    for (int p = 1; p <= size; ++p) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        const Route route = told(ranks.get());
        AsyncReduction reduction;
        EXPECT_FALSE(reduction.under_way());
        EXPECT_FALSE(reduction.is_complete());
        for (const double times : {1.0, 3.0}) {
            begin(reduction, times, route);
            EXPECT_TRUE(reduction.under_way());
            int calls = 0;
            for (; !reduction.has_had_time(); ++calls) {
                PMPI_Barrier(ranks.get());
                reduction.step(true);
            }
            EXPECT_EQ(calls, levels(p));
            EXPECT_TRUE(reduction.is_complete()) << "rank " << route.rank << " of " << p;
            if (route.rank == 0) {
                EXPECT_EQ(reduction.numbers(), result(times, p));
            }
            reduction.leave_to(abandoned);
            EXPECT_FALSE(reduction.under_way());
        }
    }
}

TEST_F(Reductions, advance_by_polling) {
    for (int p = 1; p <= size; ++p) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        const Route route = told(ranks.get());
        AsyncReduction reduction;
        for (const double times : {2.0, 1.0, 5.0}) {
            begin(reduction, times, route);
            const std::vector<double> numbers = polled(reduction);
            if (route.rank == 0) {
                EXPECT_EQ(numbers, result(times, p));
            }
            reduction.leave_to(abandoned);
        }
    }
}

TEST_F(Reductions, need_no_numbers_of_a_kind) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction reduction;
    reduction.begin({double(rank)}, {}, route);
    if (polled(reduction); rank == 0) {
        EXPECT_EQ(reduction.numbers(), std::vector<double>{0});
    }
    reduction.leave_to(abandoned);
    reduction.begin({}, {double(rank)}, route);
    if (polled(reduction); rank == 0) {
        EXPECT_EQ(reduction.numbers(), std::vector<double>{size * (size - 1) / 2.0});
    }
    reduction.leave_to(abandoned);
    reduction.begin({}, {}, route);
    if (polled(reduction); rank == 0) {
        EXPECT_EQ(reduction.numbers(), std::vector<double>{});
    }
    reduction.leave_to(abandoned);
}

// One rank after the other begins last, after all other ranks have polled: a step that waits would hang.
TEST_F(Reductions, do_not_wait_for_a_rank_that_comes_late) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction reduction;
    for (int late = 0; late < size; ++late) {
        PMPI_Barrier(MPI_COMM_WORLD);
        if (rank == late)
            for (int other = 0; other < size; ++other)
                if (other != late) receive_from(other);
        begin(reduction, 1 + late, route);
        if (rank != late) {
            for (int i = 0; i < 20; ++i) reduction.step(false);
            if (rank == 0) {
                EXPECT_FALSE(reduction.is_complete());
            }
            send_to(late);
        }
        const std::vector<double> numbers = polled(reduction);
        if (rank == 0) {
            EXPECT_EQ(numbers, result(1 + late, size));
        }
        reduction.leave_to(abandoned);
    }
}

// Rank 2 makes its first step after rank 0 has made one in the same call. Rank 0 waits only after two.
TEST_F(Reductions, wait_for_no_level_before_its_call) {
    if (size < 4) GTEST_SKIP() << "a tree of two levels has four ranks";
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction reduction;
    begin(reduction, 1, route);
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) receive_from(0);
    reduction.step(true);
    if (rank == 0) {
        EXPECT_FALSE(reduction.is_complete());
        send_to(2);
    }
    EXPECT_FALSE(reduction.has_had_time());
    PMPI_Barrier(MPI_COMM_WORLD);
    reduction.step(true);
    EXPECT_TRUE(reduction.has_had_time());
    if (rank == 0) {
        EXPECT_EQ(reduction.numbers(), result(1, size));
    }
    reduction.leave_to(abandoned);
}

TEST_F(Reductions, complete_after_they_were_abandoned_in_any_state) {
    for (int p = 1; p <= size; ++p) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        const Route route = told(ranks.get());
        AsyncReduction reduction;
        reduction.leave_to(abandoned);
        double times = 1;
        // After some synchronising steps, or after more polls on one rank than on the others.
        for (int steps = 0; steps <= levels(p) + 1; ++steps)
            for (int busy = -1; busy < p; ++busy) {
                begin(reduction, ++times, route);
                for (int i = 0; i < steps; ++i) {
                    if (busy < 0) PMPI_Barrier(ranks.get());
                    if (busy < 0) reduction.step(true);
                    for (int polls = busy == route.rank ? 10 : 0; polls > 0; --polls) reduction.step(false);
                }
                reduction.leave_to(abandoned);
                EXPECT_FALSE(reduction.under_way());
                EXPECT_FALSE(reduction.is_complete());
                reduction.step(false);
                begin(reduction, ++times, route);
                const std::vector<double> numbers = polled(reduction);
                if (route.rank == 0) {
                    EXPECT_EQ(numbers, result(times, p)) << steps << " steps, rank " << busy << " of " << p;
                }
                reduction.leave_to(abandoned);
            }
    }
}

TEST_F(Reductions, complete_after_many_were_abandoned_one_after_the_other) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncReduction reduction;
    for (int i = 0; i < 50; ++i) {
        begin(reduction, 100 + i, route);
        reduction.leave_to(abandoned);
    }
    begin(reduction, 1, route);
    const std::vector<double> numbers = polled(reduction);
    if (rank == 0) {
        EXPECT_EQ(numbers, result(1, size));
    }
    // Not left: it completes all the same.
    reduction.close();
    EXPECT_FALSE(reduction.under_way());
}

TEST_F(Reductions, of_a_communicator_that_ends_complete_later) {
    {
        const Comm comm = Comm::split(MPI_COMM_WORLD, 0, 0);
        AsyncReduction reduction;
        if (rank == 1) receive_from(0);
        begin(reduction, 1, {.comm = comm.get(), .rank = rank, .size = size});
        reduction.leave_to(abandoned);
        // Some libraries wait for all ranks when they free a communicator.
        if (rank == 0 && size > 1) send_to(1);
    }
}

TEST_F(Reductions, of_several_communicators_do_not_meet) {
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
    AsyncReduction reductions[3];
    for (const int i : {2, 0, 1}) begin(reductions[i], i + 1, routes_of_all[i]);
    for (bool all = false; !all; std::this_thread::yield()) {
        all = true;
        for (AsyncReduction& one : reductions) {
            one.step(false);
            all = all && one.is_complete();
        }
    }
    for (const int i : {0, 1, 2})
        if (routes_of_all[i].rank == 0) {
            EXPECT_EQ(reductions[i].numbers(), result(i + 1, routes_of_all[i].size));
        }
    for (AsyncReduction& one : reductions) one.leave_to(abandoned);
}

}  // namespace
}  // namespace echelon
