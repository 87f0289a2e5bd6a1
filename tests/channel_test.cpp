// SPDX-License-Identifier: Apache-2.0
/// One communicator for all routes: routes of different communicators never share tags. A route is free again
/// when all ranks have closed it.
#include "mpi/channel.hpp"

#include "mpi/memory.hpp"
#include "mpi/mpi_link.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace echelon {
namespace {

TEST(Channel, RoutesLeadToTheSameProcesses) {
    const OwnWorld world;
    Channel channel(world);
    Comm turned = Comm::split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD));
    const auto route = channel.open(turned.get());
    ASSERT_TRUE(route);
    EXPECT_EQ(route->rank, rank_of(turned.get()));
    EXPECT_EQ(route->size, size_of(turned.get()));
    EXPECT_EQ(route->loopback().rank, rank_of(MPI_COMM_WORLD));
    for (int rank = 0; rank < route->size; ++rank) EXPECT_EQ(route->in_comm(rank), route->size - 1 - rank);
}

TEST(Channel, TagsAreNotShared) {
    const OwnWorld world;
    Channel channel(world);
    std::vector<Route> open;
    for (int i = 0; i < 20; ++i) {
        // First ranks are equal or differ; ranks of one half are in no other half.
        const Comm half = Comm::split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % (1 + i % 2), 0);
        const auto route = channel.open(half.get());
        ASSERT_TRUE(route);
        for (const Route& other : open) EXPECT_GE(std::abs(route->first_tag - other.first_tag), Route::tags);
        open.push_back(*route);
        if (i % 3 == 0) {
            channel.close(open.front());
            open.erase(open.begin());
        }
    }
}

TEST(Channel, MessagesOfTwoRoutesDoNotMeet) {
    const OwnWorld world;
    Channel channel(world);
    const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    if (size < 2 || rank > 1) {
        // Opening is collective.
        (void)channel.open(MPI_COMM_WORLD);
        (void)channel.open(MPI_COMM_WORLD);
        return;
    }
    const Route one = *channel.open(MPI_COMM_WORLD), two = *channel.open(MPI_COMM_WORLD);
    std::vector<int> data{-1, -1};
    const Element element = element_of(MPI_INT);
    Memory memory(one.loopback());
    memory.begin(element, MPI_OP_NULL, {}, data.data(), nullptr, 0);
    FirstError first_error;
    MpiLink first(one, memory, first_error), second(two, memory, first_error);
    first.begin();
    second.begin();
    if (rank == 0) {
        data = {1, 2};
        first.wait(first.start_send(1, {0, 1}));
        second.wait(second.start_send(1, {1, 1}));
    } else {
        // The later message is received first.
        second.wait(second.start_receive(0, {1, 1}));
        first.wait(first.start_receive(0, {0, 1}));
        EXPECT_EQ(data, (std::vector<int>{1, 2}));
    }
    EXPECT_FALSE(first_error.any());
}

}  // namespace
}  // namespace echelon
