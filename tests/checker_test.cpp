// SPDX-License-Identifier: Apache-2.0
// The checker proves right schedules and names the defect of broken ones.
#include "core/checker.hpp"

#include "core/error.hpp"
#include "core/ranks.hpp"
#include "core/recorder.hpp"

#include <gmock/gmock.h>

namespace echelon {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Body = std::function<void(Recorder&)>;

/// Defect of `body` on p ranks; empty if it is proved.
std::string flaw(int p, const Claim& claim, const Body& body) {
    return check(record(p, 8, body), claim).reason;
}

constexpr Slice all{0, 4};
constexpr Claim reduce_to_0{.collective = Collective::reduce, .count = 4};
constexpr Claim allreduce{.collective = Collective::allreduce, .count = 4};
constexpr Claim bcast_from_0{.collective = Collective::bcast, .count = 4};
constexpr Claim barrier{.collective = Collective::barrier};

Claim in_order(Claim claim) {
    claim.in_order = true;
    return claim;
}

/// Every rank sends to rank 0, which combines in the given order.
Body flat_reduce(std::vector<int> order, Side side) {
    return [=](Link& link) {
        if (link.rank() != 0)
            link.send(0, all);
        else
            for (const int from : order) link.receive_reduce(from, all, side);
    };
}

void pass_on_from_0(Link& link) {
    if (link.rank() > 0) link.receive(link.rank() - 1, all);
    if (link.rank() + 1 < link.size()) link.send(link.rank() + 1, all);
}

TEST(Checker, proves_a_reduce_in_rank_order) {
    EXPECT_THAT(flaw(4, in_order(reduce_to_0), flat_reduce({1, 2, 3}, Side::after)), IsEmpty());
}

TEST(Checker, tells_rank_order_from_any_order) {
    const Body backwards = flat_reduce({3, 2, 1}, Side::after);
    EXPECT_THAT(flaw(4, reduce_to_0, backwards), IsEmpty());
    EXPECT_THAT(flaw(4, in_order(reduce_to_0), backwards),
                HasSubstr("rank 0, element 0: (((0 3) 2) 1) should be in rank order"));

    const Body wrong_side = flat_reduce({1}, Side::before);
    EXPECT_THAT(flaw(2, reduce_to_0, wrong_side), IsEmpty());
    EXPECT_THAT(flaw(2, in_order(reduce_to_0), wrong_side), HasSubstr("(1 0) should be in rank order"));
}

TEST(Checker, finds_a_contribution_that_is_missing) {
    EXPECT_THAT(flaw(3, reduce_to_0,
                     [](Link& link) {
                         if (link.rank() == 1) link.send(0, all);
                         if (link.rank() == 0) link.receive_reduce(1, all, Side::after);
                     }),
                HasSubstr("rank 0, element 0: (0 1) should have each contribution exactly once"));
}

TEST(Checker, finds_a_contribution_that_came_twice) {
    const Body hello_again = [](Link& link) {
        for (int i = 0; i < 2; ++i)
            if (link.rank() == 1)
                link.send(0, all);
            else
                link.receive_reduce(1, all, Side::after);
    };
    EXPECT_THAT(flaw(2, reduce_to_0, hello_again),
                HasSubstr("((0 1) 1) should have each contribution exactly once"));
}

/// Two contributions of one rank and none of another: their number alone would not reveal it.
TEST(Checker, finds_a_contribution_in_the_place_of_another) {
    const Body twice_1 = [](Link& link) {
        if (link.rank() == 1)
            for (int i = 0; i < 2; ++i) link.send(0, all);
        if (link.rank() == 0)
            for (int i = 0; i < 2; ++i) link.receive_reduce(1, all, Side::after);
    };
    EXPECT_THAT(flaw(3, reduce_to_0, twice_1), HasSubstr("exactly once"));
}

TEST(Checker, finds_ranks_that_combine_with_different_brackets) {
    // Each rank sends to all others and combines in order of arrival: (0 1) 2, (1 2) 0, (2 0) 1.
    const Body as_it_comes = [](Link& link) {
        Scratch scratch(link);
        const Slice own = scratch(4);
        link.copy(own, all);
        for (int distance = 1; distance < 3; ++distance) {
            const Slice other = scratch(4);
            link.exchange(wrap(link.rank() - distance, 3), own, wrap(link.rank() + distance, 3), other);
            link.reduce(all, other, Side::after);
        }
    };
    EXPECT_THAT(flaw(3, allreduce, as_it_comes), HasSubstr("has other brackets than on another rank"));
    Claim exact = allreduce;
    exact.same_bits = false;
    EXPECT_THAT(flaw(3, exact, as_it_comes), IsEmpty());
}

TEST(Checker, takes_exchanged_operands_of_a_pair_for_the_same_bits) {
    const Body pair = [](Link& link) {
        link.exchange_reduce(1 - link.rank(), all, 1 - link.rank(), all, Side::after);
    };
    EXPECT_THAT(flaw(2, allreduce, pair), IsEmpty());
    EXPECT_THAT(flaw(2, in_order(allreduce), pair), HasSubstr("rank 1, element 0: (1 0)"));
}

TEST(Checker, finds_a_rank_that_gets_nothing) {
    EXPECT_THAT(flaw(3, bcast_from_0, pass_on_from_0), IsEmpty());
    EXPECT_THAT(flaw(3, bcast_from_0,
                     [](Link& link) {
                         if (link.rank() == 0) link.send(1, all);
                         if (link.rank() == 1) link.receive(0, all);
                     }),
                HasSubstr("rank 2, element 0: nothing should be that of rank 0"));
}

TEST(Checker, finds_a_message_that_is_never_sent) {
    EXPECT_THAT(flaw(2, bcast_from_0,
                     [](Link& link) {
                         if (link.rank() == 1) link.receive(0, all);
                     }),
                HasSubstr("rank 1, strand 0, step 1 (wait for 0) waits for ever"));
}

TEST(Checker, finds_a_message_that_is_never_received) {
    const Body too_many = [](Link& link) {
        pass_on_from_0(link);
        if (link.rank() == 0) link.start_send(1, {0, 1});
    };
    EXPECT_THAT(flaw(2, bcast_from_0, too_many),
                HasSubstr("rank 0, strand 0, step 2 (start send data[0,1) to 1) is never waited for"));
}

/// This works only while messages are short enough to be buffered.
TEST(Checker, finds_ranks_that_send_around_a_circle_before_they_receive) {
    const auto around = [](bool at_once) {
        return [at_once](Link& link) {
            const int next = wrap(link.rank() + 1, 3), prev = wrap(link.rank() - 1, 3);
            for (int step = 0; step < 2; ++step) {
                if (at_once) {
                    link.exchange(next, {}, prev, {});
                } else {
                    link.send(next, {});
                    link.receive(prev, {});
                }
            }
        };
    };
    EXPECT_THAT(flaw(3, barrier, around(true)), IsEmpty());
    EXPECT_THAT(flaw(3, barrier, around(false)), HasSubstr("deadlock, every send synchronous"));
}

TEST(Checker, finds_a_receive_of_another_length) {
    EXPECT_THAT(flaw(2, bcast_from_0,
                     [](Link& link) {
                         if (link.rank() == 0) link.send(1, {0, 4});
                         if (link.rank() == 1) link.receive(0, {0, 3});
                     }),
                HasSubstr("(start receive data[0,3) from 0) meets a peer that names 4 elements"));
}

TEST(Checker, finds_elements_that_are_written_while_they_leave) {
    const Body hasty = [](Link& link) {
        if (link.rank() == 1) {
            link.receive(0, all);
        } else {
            const auto sending = link.start_send(1, all);
            link.copy({0, 1}, {1, 1});
            link.wait(sending);
        }
    };
    EXPECT_THAT(flaw(2, bcast_from_0, hasty), HasSubstr("touches elements of a communication under way"));
}

TEST(Checker, lets_elements_be_read_while_they_leave_but_not_while_they_arrive) {
    const auto relay = [](bool patient) {
        return [patient](Link& link) {
            const int me = link.rank();
            if (me == 0) {
                const auto first = link.start_send(1, all), second = link.start_send(2, all);
                link.wait(first);
                link.wait(second);
            } else {
                const auto receiving = link.start_receive(0, all);
                if (patient) link.wait(receiving);
                if (me == 2) link.send(3, {1, 2});
                if (!patient) link.wait(receiving);
            }
        };
    };
    const auto bcast_of_3 = [&](bool patient) {
        return flaw(4, bcast_from_0, [&](Link& link) {
            if (link.rank() < 3)
                relay(patient)(link);
            else
                link.receive(2, {1, 2});
        });
    };
    EXPECT_THAT(bcast_of_3(false), HasSubstr("rank 2, strand 0, step 1"));
    EXPECT_THAT(bcast_of_3(true), HasSubstr("rank 3, element 0: nothing"));
}

TEST(Checker, finds_two_receives_into_one_place) {
    EXPECT_THAT(flaw(3, barrier,
                     [](Link& link) {
                         Scratch scratch(link);
                         const Slice place = scratch(2);
                         if (link.rank() > 0) return link.send(0, place);
                         const auto first = link.start_receive(1, place),
                                    second = link.start_receive(2, place);
                         link.wait(first);
                         link.wait(second);
                     }),
                HasSubstr("touches elements of a communication under way"));
}

TEST(Checker, finds_elements_outside_of_their_buffer) {
    EXPECT_THAT(flaw(1, bcast_from_0,
                     [](Link& link) {
                         link.copy({4, 1}, {0, 1});
                     }),
                HasSubstr("(copy data[4,5) = data[0,1)) reaches outside its buffer"));
    EXPECT_THAT(flaw(1, bcast_from_0,
                     [](Link& link) {
                         Scratch scratch(link);
                         const Slice three = scratch(3);
                         link.copy(three.part(1, 3), {0, 3});
                     }),
                HasSubstr("reaches outside its buffer"));
}

TEST(Checker, finds_operands_that_do_not_belong_together) {
    EXPECT_THAT(flaw(1, allreduce,
                     [](Link& link) {
                         link.reduce({1, 1}, {0, 1}, Side::after);
                     }),
                HasSubstr("combines element 1 with element 0"));
    EXPECT_THAT(flaw(1, allreduce,
                     [](Link& link) {
                         link.copy({0, 1}, {1, 1});
                     }),
                HasSubstr("rank 0, element 0: 0 belongs to element 1"));
    EXPECT_THAT(flaw(1, allreduce,
                     [](Link& link) {
                         Scratch scratch(link);
                         link.reduce(all, scratch(4), Side::after);
                     }),
                HasSubstr("combines a value that no step has defined"));
    EXPECT_THAT(flaw(1, allreduce,
                     [](Link& link) {
                         link.reduce({0, 3}, {1, 3}, Side::after);
                     }),
                HasSubstr("combines elements with themselves"));
}

TEST(Checker, finds_a_wait_too_many) {
    EXPECT_THAT(flaw(2, barrier,
                     [](Link& link) {
                         const auto ticket =
                             link.rank() == 0 ? link.start_send(1, {}) : link.start_receive(0, {});
                         link.wait(ticket);
                         link.wait(ticket);
                     }),
                HasSubstr("strand 0, step 2 (wait for 0) waits for nothing that is under way"));
}

TEST(Checker, finds_a_rank_that_leaves_a_barrier_early) {
    const auto gather_and_release = [](bool release) {
        return [release](Link& link) {
            for (int r = 1; r < link.size(); ++r) {
                if (link.rank() == r) link.send(0, {});
                if (link.rank() == 0) link.receive(r, {});
            }
            for (int r = 1; release && r < link.size(); ++r) {
                if (link.rank() == 0) link.send(r, {});
                if (link.rank() == r) link.receive(0, {});
            }
        };
    };
    EXPECT_THAT(flaw(5, barrier, gather_and_release(true)), IsEmpty());
    EXPECT_THAT(flaw(5, barrier, gather_and_release(false)),
                "rank 1 can leave the barrier before rank 0 came");
}

/// Dissemination without its last distance: every rank has heard of four of the five.
TEST(Checker, finds_a_barrier_that_is_one_step_short) {
    const auto disseminate = [](int steps) {
        return [steps](Link& link) {
            for (int k = 0; k < steps; ++k)
                link.exchange(wrap(link.rank() + (1 << k), 5), {}, wrap(link.rank() - (1 << k), 5), {});
        };
    };
    EXPECT_THAT(flaw(5, barrier, disseminate(3)), IsEmpty());
    EXPECT_THAT(flaw(5, barrier, disseminate(2)), "rank 0 can leave the barrier before rank 1 came");
}

TEST(Checker, follows_blocks_to_their_owners) {
    // Three ranks, blocks of 2, 1 and 1 elements; each rank sends blocks or the vector to all others.
    const Blocks blocks(4, 3);
    const auto move = [&](auto what, auto into) {
        return [=](Link& link) {
            for (int distance = 1; distance < 3; ++distance) {
                const int to = wrap(link.rank() + distance, 3), from = wrap(link.rank() - distance, 3);
                link.exchange(to, what(link.rank(), to), from, into(from, link.rank()));
            }
        };
    };
    const auto own_block = [=](int from, int) { return blocks[from]; };
    EXPECT_THAT(flaw(3, {.collective = Collective::allgather, .count = 4}, move(own_block, own_block)),
                IsEmpty());
    const auto to_block = [=](int, int to) { return blocks[to]; };
    EXPECT_THAT(flaw(3, {.collective = Collective::allgather, .count = 4}, move(to_block, own_block)),
                HasSubstr("names"));
    EXPECT_THAT(flaw(3, {.collective = Collective::scatter, .count = 4},
                     [=](Link& link) {
                         for (int r = 1; r < 3 && link.rank() == 0; ++r) link.send(r, blocks[r]);
                         if (link.rank() > 0) link.receive(0, blocks[3 - link.rank()]);
                     }),
                HasSubstr("rank 1, element 2: nothing should be that of rank 0"));
    EXPECT_THAT(flaw(3, {.collective = Collective::gather, .count = 4, .root = 2},
                     [=](Link& link) {
                         for (int r = 0; r < 2; ++r) {
                             if (link.rank() == r) link.send(2, blocks[r]);
                             if (link.rank() == 2) link.receive(r, blocks[r]);
                         }
                     }),
                IsEmpty());
    EXPECT_THAT(flaw(3, {.collective = Collective::reduce_scatter, .count = 4},
                     [=](Link& link) {
                         for (int distance = 1; distance < 3; ++distance) {
                             const int to = wrap(link.rank() + distance, 3),
                                       from = wrap(link.rank() - distance, 3);
                             link.exchange_reduce(to, blocks[to], from, blocks[link.rank()], Side::after);
                         }
                     }),
                IsEmpty());
}

TEST(Checker, follows_every_block_of_an_alltoall) {
    const auto swap = [](Slice sent) {
        return [sent](Link& link) {
            const int me = link.rank(), other = 1 - me;
            link.copy({std::size_t(me) * 2, 2, Buffer::data}, {std::size_t(me) * 2, 2, Buffer::input});
            link.exchange(other, sent.count == 0 ? Slice{std::size_t(other) * 2, 2, Buffer::input} : sent,
                          other, {std::size_t(other) * 2, 2});
        };
    };
    const Claim alltoall{.collective = Collective::alltoall, .count = 4};
    EXPECT_THAT(flaw(2, alltoall, swap({})), IsEmpty());
    EXPECT_THAT(flaw(2, alltoall, swap({0, 2, Buffer::input})), HasSubstr("should be that of rank 0"));
}

TEST(Checker, follows_blocks_of_an_alltoall_that_differ) {
    // Rank 0 keeps one element, sends two to rank 1 and gets one.
    const auto swap = [](std::size_t kept, std::size_t place) {
        return [kept, place](Link& link) {
            if (link.rank() == 0) {
                link.exchange(1, {1, 2, Buffer::input}, 1, {place, 1});
                link.copy({1 - place, 1}, {kept, 1, Buffer::input});
            } else {
                link.exchange(0, {0, 1, Buffer::input}, 0, {0, 2});
            }
        };
    };
    const Claim claim{.collective = Collective::alltoall, .lengths = {1, 2, 1, 0}};
    EXPECT_THAT(flaw(2, claim, swap(0, 1)), IsEmpty());
    EXPECT_THAT(flaw(2, claim, swap(1, 1)), HasSubstr("rank 0, element 0"));
    EXPECT_THAT(flaw(2, claim, swap(0, 0)), HasSubstr("should be that of rank 0"));
}

TEST(Checker, knows_how_far_a_scan_reaches) {
    const Body chain = [](Link& link) {
        if (link.rank() > 0) link.receive_reduce(link.rank() - 1, all, Side::before);
        if (link.rank() + 1 < link.size()) link.send(link.rank() + 1, all);
    };
    EXPECT_THAT(flaw(4, in_order({.collective = Collective::scan, .count = 4}), chain), IsEmpty());
    EXPECT_THAT(flaw(4, in_order({.collective = Collective::exscan, .count = 4}), chain),
                HasSubstr("rank 1, element 0: (0 1) should have each contribution exactly once"));
}

/// One strand receives and signals, the other combines the received data. Without the await the result would
/// depend on the order of the strands.
TEST(Checker, finds_strands_that_do_not_wait_for_each_other) {
    const auto two_strands = [](bool awaits) {
        return [awaits](Recorder& link) {
            if (link.rank() == 1) return link.send(0, all);
            Scratch scratch(link);
            const Slice received = scratch(4);
            link.on_strand(0);
            link.receive(1, received);
            link.mark();
            link.on_strand(1);
            if (awaits) link.await(0, 1);
            link.reduce(all, received, Side::after);
        };
    };
    EXPECT_THAT(flaw(2, reduce_to_0, two_strands(true)), IsEmpty());
    EXPECT_THAT(flaw(2, reduce_to_0, two_strands(false)), HasSubstr("rank 0, strand 1, step 0"));
}

}  // namespace
}  // namespace echelon
