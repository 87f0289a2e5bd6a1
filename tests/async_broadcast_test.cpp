// SPDX-License-Identifier: Apache-2.0
/// Asynchronous broadcast of rank 0's text: it advances while the ranks go on calling.
#include "mpi/async_broadcast.hpp"

#include "mpi/agree.hpp"
#include "mpi/comm.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

class HandoutTest : public testing::Test {
protected:
    const MPI_Comm world = MPI_COMM_WORLD;
    const int rank = rank_of(world);

    /// Text that only rank 0 has.
    std::string own(const std::string& text) const { return rank == 0 ? text : ""; }
    void call() const { EXPECT_TRUE(all_say(true, world)); }
};

TEST_F(HandoutTest, ComesWithinTwoCalls) {
    AsyncBroadcast handout;
    EXPECT_FALSE(handout.under_way());
    for (const std::string& text : {std::string(), std::string("short"), std::string(100'000, 'x')}) {
        handout.begin(own(text), world);
        call();
        EXPECT_TRUE(handout.under_way());
        EXPECT_FALSE(handout.has_had_time());
        call();
        EXPECT_TRUE(handout.has_had_time());
        EXPECT_EQ(handout.end(), text);
        EXPECT_FALSE(handout.under_way());
    }
}

TEST_F(HandoutTest, ComesAtOnceToWhoWaits) {
    for (const std::size_t room : {std::size_t(0), std::size_t(200), AsyncBroadcast::usual_room})
        for (const std::size_t length : {std::size_t(0), room, room + 1})
            EXPECT_EQ(AsyncBroadcast::at_once(own(std::string(length, 'y')), world, room),
                      std::string(length, 'y'));
}

TEST_F(HandoutTest, Rank0WaitsForNobody) {
    AsyncBroadcast handout;
    const int last = size_of(world) - 1;
    if (rank == last && last > 0)  // waits until rank 0 has begun
        PMPI_Recv(nullptr, 0, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    handout.begin(own("text"), world);
    if (rank == 0 && last > 0) PMPI_Send(nullptr, 0, MPI_INT, last, 0, world);
    call();
    EXPECT_EQ(handout.end(), "text");
}

TEST_F(HandoutTest, OfSeveralCommunicatorsDoNotMeet) {
    const Comm other = Comm::split(world, 0, -rank);  // has another rank 0
    AsyncBroadcast first, second;
    first.begin(own("first"), world);
    second.begin(rank_of(other.get()) == 0 ? "second" : "", other.get());
    call();
    EXPECT_EQ(second.end(), "second");
    EXPECT_EQ(first.end(), "first");
}

TEST_F(HandoutTest, NobodyReadsIt) {
    AsyncBroadcasts unread;
    AsyncBroadcast handout;
    handout.leave_to(unread);
    for (int i = 0; i < 3; ++i) {
        handout.begin(own("unread"), world);
        handout.leave_to(unread);
        EXPECT_FALSE(handout.under_way());
    }
    handout.begin(own("read"), world);
    call();
    EXPECT_EQ(handout.end(), "read");
    unread.close();
}

TEST_F(HandoutTest, ItsCommunicatorMayBeFreed) {
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(PMPI_Comm_dup(world, &copy), MPI_SUCCESS);
    AsyncBroadcasts unread;
    AsyncBroadcast handout;
    handout.begin(own("unread"), copy);
    handout.wait();
    EXPECT_TRUE(handout.under_way());
    ASSERT_EQ(PMPI_Comm_free(&copy), MPI_SUCCESS);
    handout.leave_to(unread);
    unread.close();
}

}  // namespace
}  // namespace echelon
