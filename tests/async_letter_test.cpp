// SPDX-License-Identifier: Apache-2.0
/// Text from rank 0 to each other rank, which no rank waits for.
#include "mpi/async_letter.hpp"

#include "mpi/told_routes.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace echelon {
namespace {

class Letters : public testing::Test {
protected:
    OwnWorld world;
    ToldRoutes routes{world};
    /// Letters that are over.
    AsyncLetter over;
    const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);

    void TearDown() override { over.close(); }
    Route told(MPI_Comm comm) {
        int number = rank_of(comm) == 0 ? routes.take().value() : -1;
        check(PMPI_Bcast(&number, 1, MPI_INT, 0, comm), "MPI_Bcast");
        return routes.route(comm, number);
    }
    /// The text that has come, on other ranks than 0.
    static std::string come(AsyncLetter& letter) {
        for (;; std::this_thread::yield())
            if (std::string text = letter.text(); !text.empty()) return text;
    }
    static void receive_from(int other) {
        check(PMPI_Recv(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    static void send_to(int other) {
        check(PMPI_Send(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD), "MPI_Send");
    }
};

TEST_F(Letters, bring_the_text_to_all_other_ranks) {
    const std::string bytes("a\0b\xff\n", 5);
    for (int p = 1; p <= size; ++p) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        const Route route = told(ranks.get());
        AsyncLetter letter;
        EXPECT_FALSE(letter.under_way());
        for (const std::string& text : {std::string("x"), bytes, std::string(AsyncLetter::room, 'y')}) {
            letter.begin(route);
            EXPECT_TRUE(letter.under_way());
            EXPECT_FALSE(letter.is_sent());
            if (route.rank != 0) {
                EXPECT_EQ(letter.text(), "") << "it has not been sent";
            }
            PMPI_Barrier(ranks.get());
            if (route.rank == 0) {
                letter.send(text);
                EXPECT_TRUE(letter.is_sent());
            } else {
                EXPECT_EQ(come(letter), text);
                EXPECT_EQ(letter.text(), text) << "it stays";
            }
            letter.leave_to(over);
            EXPECT_FALSE(letter.under_way());
        }
    }
}

TEST_F(Letters, are_sent_once) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncLetter letter;
    letter.begin(route);
    if (rank == 0) {
        letter.send("first");
        letter.send("second");
    } else {
        EXPECT_EQ(come(letter), "first");
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) {
        EXPECT_EQ(letter.text(), "first");
    }
    letter.leave_to(over);
    letter.begin(route);
    if (rank == 0) letter.send("third");
    if (rank != 0) {
        EXPECT_EQ(come(letter), "third");
    }
    letter.leave_to(over);
}

TEST_F(Letters, are_empty_if_they_are_too_long) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncLetter letter;
    for (const std::size_t more : {std::size_t(1), AsyncLetter::room}) {
        letter.begin(route);
        if (rank == 0) {
            letter.send(std::string(AsyncLetter::room + more, 'x'));
            EXPECT_TRUE(letter.is_sent());
        } else {
            for (int i = 0; i < 100; ++i) EXPECT_EQ(letter.text(), "");
        }
        letter.leave_to(over);
        letter.begin(route);
        if (rank == 0) letter.send("short");
        if (rank != 0) {
            EXPECT_EQ(come(letter), "short");
        }
        letter.leave_to(over);
    }
}

// Rank 0 sends before another rank has begun, and other ranks read before rank 0 has begun: a function that
// waits would hang.
TEST_F(Letters, do_not_wait_for_a_rank_that_comes_late) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncLetter letter;
    for (int late = 0; late < size; ++late) {
        PMPI_Barrier(MPI_COMM_WORLD);
        if (rank == late)
            for (int other = 0; other < size; ++other)
                if (other != late) receive_from(other);
        letter.begin(route);
        if (rank == 0) letter.send(std::string(AsyncLetter::room, char('a' + late)));
        if (rank != late) {
            if (late == 0) {
                EXPECT_EQ(letter.text(), "");
            }
            send_to(late);
        }
        if (rank != 0) {
            EXPECT_EQ(come(letter), std::string(AsyncLetter::room, char('a' + late)));
        }
        letter.leave_to(over);
    }
}

TEST_F(Letters, complete_if_they_end_before_they_were_sent) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncLetter letter;
    letter.leave_to(over);
    for (int i = 0; i < 20; ++i) {
        letter.begin(route);
        if (rank != 0) {
            EXPECT_EQ(letter.text(), "");
        }
        letter.leave_to(over);
        EXPECT_FALSE(letter.under_way());
    }
    over.close();
    letter.begin(route);
    if (rank == 0) letter.send("text");
    if (rank != 0) {
        EXPECT_EQ(come(letter), "text");
    }
    // Not left: it completes all the same.
    letter.close();
    EXPECT_FALSE(letter.under_way());
}

// Some ranks have read the text before a letter ends, others have not: the next one is read by all.
TEST_F(Letters, are_not_taken_for_the_next_on_the_route) {
    const Route route = told(MPI_COMM_WORLD);
    AsyncLetter letter;
    for (int i = 0; i < 30; ++i) {
        letter.begin(route);
        if (rank == 0 && i % 3 != 0) letter.send("old " + std::to_string(i));
        if (rank != 0 && i % 3 != 0 && rank % 2 == i % 2) {
            EXPECT_EQ(come(letter), "old " + std::to_string(i));
        }
        letter.leave_to(over);
        letter.begin(route);
        if (rank == 0) letter.send(std::to_string(i));
        if (rank != 0) {
            EXPECT_EQ(come(letter), std::to_string(i));
        }
        letter.leave_to(over);
    }
}

TEST_F(Letters, of_several_communicators_do_not_meet) {
    const Comm turned = Comm::split(MPI_COMM_WORLD, 0, -rank);
    const Route all[] = {told(MPI_COMM_WORLD), told(turned.get())};
    AsyncLetter letters[2];
    for (const int i : {1, 0}) letters[i].begin(all[i]);
    for (const int i : {0, 1})
        if (all[i].rank == 0) letters[i].send(std::to_string(i));
    for (const int i : {1, 0}) {
        if (all[i].rank != 0) {
            EXPECT_EQ(come(letters[i]), std::to_string(i));
        }
        letters[i].leave_to(over);
    }
}

}  // namespace
}  // namespace echelon
