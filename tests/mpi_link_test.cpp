// SPDX-License-Identifier: Apache-2.0
/// A flat reduce of many short segments took time that grows with the square of their number: ranks sent all
/// of them ahead, and MPICH searched the receiver's queue for each.
#include "mpi/mpi_link.hpp"

#include "mpi/channel.hpp"
#include "mpi/clock.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace echelon {
namespace {

enum class Kind { send, start_send };

/// True if a send ends within some time, in which the library makes progress: Open MPI's queues hold some 200
/// messages.
bool ends(MpiLink& link, Link::Ticket ticket) {
    constexpr double enough = 3;  // seconds
    const double began = now();
    while (now() - began < enough) {
        if (link.ends_at_once(ticket)) return true;
        int found = 0;
        PMPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    }
    return false;
}

/// Number of one-element messages, at most `most`, that rank 0 sends before one waits for its receive by
/// rank 1. `size`: that of the route.
int sent_ahead(Kind kind, int size, int most) {
    const OwnWorld world;
    Channel channel(world);
    Route route = *channel.open(MPI_COMM_WORLD);
    const int rank = route.rank;
    for (int r = 0; r < size; ++r) route.members.push_back(std::min(r, 1));
    route.size = size;
    int value = 0;
    Memory memory(route.loopback());
    memory.begin(element_of(MPI_INT), MPI_OP_NULL, {}, &value, nullptr, 0);
    FirstError first_error;
    MpiLink link(route, memory, first_error);
    link.begin();
    int sent = 0;
    if (rank == 0) {
        // The message that waits, if one does, is started: it would not end.
        for (; sent < most; ++sent) {
            if (kind == Kind::send && sent + 1 < most) {
                link.send(1, {0, 1});
                continue;
            }
            const Link::Ticket ticket = link.start_send(1, {0, 1});
            if (ends(link, ticket)) continue;
            check(PMPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
            link.wait(ticket);
            return sent;
        }
    }
    check(PMPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    if (rank == 1)
        for (int i = 0; i < std::min(sent + 1, most); ++i) link.receive(0, {0, 1});
    EXPECT_FALSE(first_error.any());
    return sent;
}

TEST(MpiLink, SendsOfALongCallWaitForTheReceiver) {
    EXPECT_EQ(sent_ahead(Kind::start_send, 2, 500), 250);
    EXPECT_EQ(sent_ahead(Kind::send, 2, 251), 250);  // sends without a request are counted too
}

TEST(MpiLink, AMessageForEachRankWaitsForNone) {
    EXPECT_EQ(sent_ahead(Kind::start_send, 200, 400), 400);
    EXPECT_EQ(sent_ahead(Kind::start_send, 2, 250), 250);
}

}  // namespace
}  // namespace echelon
