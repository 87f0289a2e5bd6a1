// SPDX-License-Identifier: Apache-2.0
#include "core/recorder.hpp"

#include "core/cost.hpp"
#include "core/error.hpp"
#include "core/turned_link.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>

namespace echelon {
namespace {

using testing::HasSubstr;

TEST(Recorder, writes_one_line_for_each_step) {
    const Schedule schedule = record(2, 8, [](Link& link) {
        Scratch scratch(link);
        if (link.rank() == 1) return link.send(0, {0, 4});
        const Slice received = scratch(4);
        link.receive(1, received);
        link.reduce({0, 4}, received, Side::after);
        link.reduce({0, 2}, received.part(2, 2), Side::before);
        link.copy({4, 1}, {0, 1, Buffer::input});
    });
    EXPECT_EQ(to_string(schedule),
              "rank 0\n"
              "  0: receive scratch[0,4) from 1\n"
              "  2: reduce data[0,4) = data[0,4) (+) scratch[0,4)\n"
              "  3: reduce data[0,2) = scratch[2,4) (+) data[0,2)\n"
              "  4: copy data[4,5) = input[0,1)\n"
              "rank 1\n"
              "  0: send data[0,4) to 0\n");
    EXPECT_EQ(schedule.element_size, 8u);
}

TEST(Recorder, shows_what_overlaps) {
    const Schedule schedule = record(2, 1, [](Link& link) {
        const int other = 1 - link.rank();
        link.exchange(other, {0, 1}, other, {1, 1});
    });
    EXPECT_EQ(to_string(schedule.ranks[1]),
              "  0: start receive data[1,2) from 0\n"
              "  1: send data[0,1) to 0\n"
              "  3: wait for 0\n");
}

TEST(Recorder, borrows_scratch_space_as_a_stack) {
    const Schedule schedule = record(1, 8, [](Link& link) {
        Scratch outer(link);
        const Slice first = outer(3);
        EXPECT_EQ(first, (Slice{0, 3, Buffer::scratch}));
        {
            Scratch inner(link);
            EXPECT_EQ(inner(5).offset, 3u);
            EXPECT_EQ(inner(1).offset, 8u);
        }
        EXPECT_EQ(outer(2).offset, 3u) << "what the inner scope had is free again";
    });
    EXPECT_EQ(schedule.ranks[0].scratch, 9u) << "the highest point";
}

TEST(Recorder, gives_groups_a_link_of_their_own) {
    const Schedule schedule = record(4, 8, [](Recorder& link) {
        const std::vector<int> members{link.rank() % 2, link.rank() % 2 + 2};
        Recorder group = link.sub_link(members);
        EXPECT_EQ(group.size(), 2);
        EXPECT_EQ(group.rank(), link.rank() / 2);
        EXPECT_EQ(group.element_size(), 8u);
        if (group.rank() == 0) group.send(1, {0, 1});
        if (group.rank() == 1) group.receive(0, {0, 1});
    });
    EXPECT_EQ(to_string(schedule.ranks[1]), "  0: send data[0,1) to 3 on link 1\n");
    EXPECT_EQ(schedule.ranks[1].peer_of(schedule.ranks[1].strands[0][0]), 3);
    EXPECT_EQ(schedule.ranks[1].links[1].channel, schedule.ranks[3].links[1].channel);
    EXPECT_NE(schedule.ranks[1].links[1].channel, schedule.ranks[1].links[0].channel);
}

TEST(Recorder, refuses_groups_without_the_own_rank) {
    EXPECT_THROW(record(2, 1, [](Recorder& link) { link.sub_link(std::vector<int>{0}); }), Error);
}

TEST(Recorder, refuses_ranks_that_do_not_exist) {
    EXPECT_EQ(refusal([] { return record(3, 1, [](Link& link) { link.send(link.rank() + 1, {}); }); }),
              "rank 2 talks to rank 3 of 3");
    EXPECT_THROW(record(3, 1, [](Link& link) { link.receive(-1, {}); }), Error);
}

TEST(Recorder, keeps_strands_apart) {
    const Schedule schedule = record(1, 1, [](Recorder& link) {
        for (std::size_t strand = 0; strand < 2; ++strand) {
            link.on_strand(strand);
            Scratch scratch(link);
            EXPECT_EQ(scratch(4).offset, strand * 4) << "strands run at the same time";
            strand == 0 ? link.mark() : link.await(0, 1);
        }
    });
    EXPECT_EQ(to_string(schedule.ranks[0]),
              "  strand 0\n  0: mark\n  strand 1\n  0: await strand 0 mark 1\n");
}

TEST(TurnedLink, makes_any_rank_the_first) {
    const Schedule schedule = record(5, 8, [](Link& link) {
        TurnedLink turned(link, 3);
        EXPECT_EQ(turned.size(), 5);
        EXPECT_EQ(turned.element_size(), 8u);
        Scratch scratch(turned);
        if (turned.rank() == 0) turned.receive(4, scratch(2));
        if (turned.rank() == 4) turned.send(0, {0, 2});
    });
    EXPECT_EQ(to_string(schedule.ranks[3]), "  0: receive scratch[0,2) from 2\n");
    EXPECT_EQ(to_string(schedule.ranks[2]), "  0: send data[0,2) to 3\n");
    for (const int rank : {0, 1, 4}) EXPECT_EQ(to_string(schedule.ranks[std::size_t(rank)]), "") << rank;
}

TEST(Cost, adds_messages_bytes_and_combinations) {
    const Cost step{1, 100, 50};
    EXPECT_EQ(step + step, 2 * step);
    EXPECT_DOUBLE_EQ(time(3 * step, 10, 2, 1), 3 * (10 + 200 + 50));
}

TEST(Cost, hides_combinations_behind_messages_while_these_take_longer) {
    // Four messages of 100 bytes; after the first three, combining goes on while the next one arrives.
    const Cost pipeline{4, 400, 100, 3, 300};
    EXPECT_DOUBLE_EQ(time(pipeline, 10, 2, 1), 4 * 210 + 100);
    EXPECT_DOUBLE_EQ(time(pipeline, 10, 2, 5), 210 + 4 * 500);
}

}  // namespace
}  // namespace echelon
