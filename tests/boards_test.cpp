// SPDX-License-Identifier: Apache-2.0
// Boards that a process holds, finds again and gives up. The messages through them are tested in
// shm_threads_test.
#include "shm/boards.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

namespace echelon {
namespace {

using Calls = Boards::Calls;

constexpr WindowShape tight{.depth = 5, .slot = 160};
const Bytes row = Board::bytes_of(1, tight);

/// The progress of ranks without messages.
bool nothing() { return false; }

/// Makes a board of `processes`, of which this one is the first. Returns the lease of its first user.
Boards::Lease made(Boards& boards, Boards::Processes processes) {
    const int size = 2;
    Boards::Share share = boards.grant(row);
    if (!share.is_granted()) return {};
    auto segment = Segment::make(Board::bytes_of(size, tight));
    return boards.enter(std::move(processes), std::move(share), std::move(segment.value()),
                        {.rank = 0, .size = size, .shape = tight, .patience = {.spins = 1}}, nothing);
}

TEST(Boards, serve_all_communicators_of_these_processes_in_this_order) {
    Boards boards(10 * row);
    const Boards::Lease one = made(boards, {4, 7});
    const Boards::Lease other = boards.find({4, 7}, Calls::in_turn, nothing);
    ASSERT_TRUE(other);
    EXPECT_EQ(&other.board(), &one.board());
    EXPECT_EQ(boards.held(), row);
    EXPECT_FALSE(boards.find({7, 4}, Calls::in_turn, nothing));
    EXPECT_FALSE(boards.find({4}, Calls::in_turn, nothing));
    EXPECT_FALSE(boards.find({4, 7, 8}, Calls::in_turn, nothing));
}

TEST(Boards, serve_one_communicator_at_a_time_where_threads_call_at_once) {
    Boards boards(10 * row);
    Boards::Lease one = made(boards, {4, 7});
    const Board* const first = &one.board();
    const std::uint64_t mark = one.mark();
    EXPECT_FALSE(boards.find({4, 7}, Calls::at_once, nothing));
    EXPECT_FALSE(boards.find(mark, 0, Calls::at_once, nothing));
    one = {};
    one = boards.find({4, 7}, Calls::at_once, nothing);
    ASSERT_TRUE(one);
    EXPECT_EQ(&one.board(), first);
    EXPECT_FALSE(boards.find({4, 7}, Calls::at_once, nothing));
}

TEST(Boards, are_found_by_mark_where_this_process_stands_at_that_round) {
    Boards boards(10 * row);
    const Boards::Lease one = made(boards, {4, 7}), other = made(boards, {4, 7});
    EXPECT_NE(one.mark(), other.mark());
    one.board().next_round = 5;
    EXPECT_FALSE(boards.find(one.mark(), 4, Calls::in_turn, nothing));
    const Boards::Lease found = boards.find(one.mark(), 5, Calls::in_turn, nothing);
    ASSERT_TRUE(found);
    EXPECT_EQ(&found.board(), &one.board());
    boards.forget(found);
    EXPECT_FALSE(boards.find(one.mark(), 5, Calls::in_turn, nothing));
    EXPECT_EQ(one.board().next_round, 5u);  // a board that has a user stays
}

/// A user never receives data that was put for another user, even after user numbers have wrapped around.
TEST(Boards, say_whose_it_is_that_was_put) {
    Boards boards(10 * row);
    const Boards::Lease first = made(boards, {4, 7});
    for (std::uint64_t round = 0; round < 40; ++round) {
        for (int come_and_gone = 0; come_and_gone < 1000; ++come_and_gone)
            boards.find({4, 7}, Calls::in_turn, nothing);
        const Boards::Lease other = boards.find({4, 7}, Calls::in_turn, nothing);
        EXPECT_NE(other.user(), first.user());
        Board& board = other.board();
        const Bytes bytes = round < 3 ? 150 : 100;  // in the ring, and beside the counter
        std::byte* const place = board.fill(round, bytes, other.user());
        board.filled(round);
        const Board::Put put = board.put_by(0, round);
        EXPECT_EQ(put.user, other.user());
        EXPECT_EQ(put.bytes, place);
        EXPECT_EQ(put.count, bytes);
        EXPECT_FALSE(put.exposed);
    }
}

/// The processes are unknown if the program has sessions only.
TEST(Boards, of_unknown_processes_are_not_found_again) {
    Boards boards(10 * row);
    const Boards::Lease one = made(boards, {});
    EXPECT_FALSE(boards.find({}, Calls::in_turn, nothing));
}

TEST(Boards, stay_for_who_comes_next_but_no_more_than_four) {
    Boards boards(10 * row);
    for (int other = 1; other <= 9; ++other) {
        EXPECT_TRUE(made(boards, {0, other}));
        EXPECT_EQ(boards.held(), std::min<Bytes>(Bytes(other), 4) * row);
    }
    EXPECT_TRUE(boards.find({0, 6}, Calls::in_turn, nothing));  // returned as the newest
    EXPECT_FALSE(boards.find({0, 5}, Calls::in_turn, nothing));
    EXPECT_TRUE(made(boards, {0, 10}));
    EXPECT_TRUE(boards.find({0, 6}, Calls::in_turn, nothing));
    EXPECT_FALSE(boards.find({0, 7}, Calls::in_turn, nothing));
    EXPECT_EQ(boards.most_held(), 5 * row);
    boards.forget_all();
    EXPECT_EQ(boards.held(), 0u);
}

TEST(Boards, that_nobody_uses_make_room_for_others) {
    Boards boards(3 * row + 1);
    Boards::Lease used = made(boards, {0, 1});
    for (const int other : {2, 3}) EXPECT_TRUE(made(boards, {0, other}));
    const Boards::Lease next = made(boards, {0, 4});
    EXPECT_TRUE(next);
    EXPECT_EQ(boards.held(), 3 * row);
    EXPECT_FALSE(boards.find({0, 2}, Calls::in_turn, nothing));
    const Boards::Lease last = boards.find({0, 3}, Calls::in_turn, nothing);
    EXPECT_TRUE(last);
    EXPECT_FALSE(made(boards, {0, 5}));  // all are used
    used = {};
    EXPECT_TRUE(made(boards, {0, 5}));
    EXPECT_EQ(boards.held(), 3 * row);
}

/// The communicator that came first may be freed first: the progress function of a live communicator moves
/// messages.
TEST(Boards, let_messages_of_their_users_move) {
    Boards boards(10 * row);
    auto segment = Segment::make(Board::bytes_of(2, tight));
    ASSERT_TRUE(segment);
    std::byte* const memory = segment->memory();
    std::atomic<int> first = 0, second = 0;
    Boards::Lease one = boards.enter({4, 7}, boards.grant(row), std::move(*segment),
                                     {.rank = 0, .size = 2, .shape = tight, .patience = {.spins = 1}},
                                     [&] { return ++first < 0; });
    Boards::Lease other = boards.find({4, 7}, Calls::in_turn, [&] { return ++second < 0; });
    // Rank 1 arrives after messages have moved.
    const auto wait_for_rank_1 = [&](const Board& board, std::uint64_t round, const std::atomic<int>& moved) {
        std::thread rank_1([&, before = moved.load()] {
            Board own(memory, 1, 2, tight, {});
            while (moved == before) std::this_thread::yield();
            own.fill(round, 0);
            own.filled(round);
        });
        EXPECT_EQ(board.put_by(1, round).count, 0u);
        rank_1.join();
    };
    wait_for_rank_1(other.board(), 0, second);
    other = {};
    const int before = second;
    wait_for_rank_1(one.board(), 1, first);
    EXPECT_EQ(second, before);
}

}  // namespace
}  // namespace echelon
