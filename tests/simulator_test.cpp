// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/simulator.hpp"

#include "core/blocks.hpp"
#include "core/error.hpp"
#include "core/ranks.hpp"
#include "flat/algorithm.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>

namespace echelon {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Seconds alpha = 1.0 / (1 << 20);        // about a microsecond, and a line of the simulator's grid
constexpr SecondsPerByte beta = 1.0 / (1 << 30);  // about a nanosecond
constexpr SecondsPerByte gamma_ = 1.0 / (1ll << 32);
const Machine machine = uniform_machine(Hockney{alpha, beta}, gamma_);

Seconds time(int p, const std::function<void(Recorder&)>& body, const Machine& on = machine) {
    return simulate(pack(p, 1, body), on).makespan();
}
Seconds hockney(double steps, double volume, double reductions) {
    return steps * alpha + volume * beta + reductions * gamma_;
}

void ring_allreduce(Link& link, std::size_t count) {
    const int p = link.size(), me = link.rank();
    const Blocks blocks(count, p);
    const int next = wrap(me + 1, p), prev = wrap(me - 1, p);
    for (int step = 0; step < p - 1; ++step)
        link.exchange_reduce(next, blocks[wrap(me - 1 - step, p)], prev, blocks[wrap(me - 2 - step, p)],
                             Side::before);
    for (int step = 0; step < p - 1; ++step)
        link.exchange(next, blocks[wrap(me - step, p)], prev, blocks[wrap(me - 1 - step, p)]);
}

void binomial_reduce(Link& link, std::size_t count) {
    for (int distance = 1; distance < link.size(); distance *= 2) {
        if (link.rank() & distance) {
            link.send(link.rank() - distance, {0, count});
            return;
        }
        if (link.rank() + distance < link.size())
            link.receive_reduce(link.rank() + distance, {0, count}, Side::after);
    }
}

void recursive_doubling(Link& link, std::size_t count) {
    for (int distance = 1; distance < link.size(); distance *= 2)
        link.exchange_reduce(link.rank() ^ distance, {0, count}, link.rank() ^ distance, {0, count},
                             Side::after);
}

/// Receives segment i + 1 while it sends segment i.
void pipelined_bcast(Link& link, std::size_t count, std::size_t segment) {
    const Segments segments({0, count}, segment);
    const bool receives = link.rank() > 0, sends = link.rank() + 1 < link.size();
    auto sending = Link::Ticket::none;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (receives) link.receive(link.rank() - 1, segments[i]);
        link.wait(sending);
        if (sends) sending = link.start_send(link.rank() + 1, segments[i]);
    }
    link.wait(sending);
}

TEST(Simulator, one_message_takes_alpha_plus_m_beta) {
    EXPECT_EQ(time(2, [](Link& link) { binomial_reduce(link, 4096); }), hockney(1, 4096, 4096));
}

TEST(Simulator, ring_is_two_times_p_minus_1_steps) {
    for (const int p : {2, 3, 7, 16})
        EXPECT_EQ(time(p, [](Link& link) { ring_allreduce(link, 336 * 1024); }),
                  hockney(2 * (p - 1), 2.0 * (p - 1) * 336 * 1024 / p, 336 * 1024.0 * (p - 1) / p));
}

TEST(Simulator, binomial_tree_is_as_deep_as_the_logarithm) {
    for (int p = 1; p <= 33; ++p)
        EXPECT_EQ(time(p, [](Link& link) { binomial_reduce(link, 1000); }),
                  ceil_log2(p) * hockney(1, 1000, 1000))
            << "p = " << p;
}

TEST(Simulator, recursive_doubling_sends_and_receives_at_once) {
    EXPECT_EQ(time(16, [](Link& link) { recursive_doubling(link, 512); }), 4 * hockney(1, 512, 512));
}

TEST(Simulator, pipeline_fills_and_runs) {
    EXPECT_EQ(time(9, [](Link& link) { pipelined_bcast(link, 6400, 100); }),
              (9 + 64 - 2) * hockney(1, 100, 0));
}

TEST(Simulator, tells_soon_what_takes_longer_than_a_limit) {
    // Messages share a card: the simulator recomputes the end of a message again and again.
    Machine cluster = uniform_machine(Hockney{alpha, beta}, gamma_);
    cluster.nodes = {0, 0, 0, 0, 1, 1, 1, 1};
    cluster.card = 1 / beta;
    for (const Machine* const on : {&machine, static_cast<const Machine*>(&cluster)}) {
        const PackedSchedule schedule = pack(8, 1, [](Recorder& link) { ring_allreduce(link, 8000); });
        const Seconds whole = simulate(schedule, *on).makespan();
        for (const Seconds limit : {unlimited, 2 * whole, whole})
            EXPECT_EQ(makespan_within(limit, schedule, *on), whole);
        for (const Seconds limit : {0.999 * whole, whole / 2, 0.0})
            EXPECT_EQ(makespan_within(limit, schedule, *on), unlimited);
    }
    EXPECT_EQ(makespan_within(0, pack(2, 1, [](Link&) {}), machine), 0);
}

TEST(Simulator, nothing_takes_no_time) {
    EXPECT_EQ(time(4, [](Link&) {}), 0);
    EXPECT_EQ(time(1, [](Link& link) { ring_allreduce(link, 10); }), 0);
}

/// All six ranks post everything at once, in the order of the peers: the busy ports cost two more rounds than
/// the five of the order i + 1, i + 2, ...
TEST(Simulator, posting_all_at_once_collides) {
    const auto all_to_all = [](bool shifted) {
        return time(6, [=](Link& link) {
            std::vector<int> peers;
            for (int i = 1; i < 6; ++i) peers.push_back(wrap(link.rank() + i, 6));
            if (!shifted) std::sort(peers.begin(), peers.end());
            std::vector<Link::Ticket> tickets;
            for (const int peer : peers) tickets.push_back(link.start_receive(peer, {0, 0}));
            for (const int peer : peers) tickets.push_back(link.start_send(peer, {0, 0}));
            for (const auto ticket : tickets) link.wait(ticket);
        });
    };
    EXPECT_EQ(all_to_all(true), 5 * alpha);
    EXPECT_EQ(all_to_all(false), 7 * alpha);
}

TEST(Simulator, a_schedule_that_cannot_end_is_refused) {
    const auto both_send_first = [](Link& link) {
        link.send(1 - link.rank(), {0, 8});
        link.receive(1 - link.rank(), {8, 8});
    };
    EXPECT_THAT(refusal([&] { return time(2, both_send_first); }),
                HasSubstr("rank 0, strand 0 waits for ever in step 1"));
    EXPECT_EQ(time(2, both_send_first, uniform_machine(Hockney{alpha, beta, 9})), hockney(1, 8, 0));
}

TEST(Simulator, a_message_without_its_other_end_is_refused) {
    const auto only_sends = [](Link& link) {
        if (link.rank() == 0) link.send(1, {0, 8});
    };
    EXPECT_THAT(refusal([&] { return time(2, only_sends); }),
                HasSubstr("rank 0 sends a message that rank 1 never receives"));
}

TEST(Simulator, strands_of_a_rank_share_its_ports_and_its_processor) {
    // Two strands of rank 0 send to ranks 1 and 2, and all three combine: the second message waits.
    const auto body = [](Recorder& link) {
        for (std::size_t strand = 0; strand < 2; ++strand) {
            link.on_strand(strand);
            const int other = int(strand) + 1;
            if (link.rank() == 0) link.send(other, {0, 64});
            if (link.rank() == other) link.receive(0, {0, 64});
            if (link.rank() == 0) link.reduce({0, 1024}, {1024, 1024}, Side::after);
        }
    };
    const auto done = simulate(pack(3, 1, body), machine);
    EXPECT_EQ(done.finish[1], hockney(1, 64, 0));
    EXPECT_EQ(done.finish[2], hockney(2, 128, 0));
    EXPECT_EQ(done.finish[0], hockney(2, 128, 1024));
}

TEST(Simulator, a_strand_awaits_the_marks_of_another) {
    const auto body = [](Recorder& link) {
        link.on_strand(0);
        for (int i = 0; i < 3; ++i) {
            link.reduce({0, 1024}, {1024, 1024}, Side::after);
            link.mark();
        }
        link.on_strand(1);
        link.await(0, 2);
        link.exchange(1 - link.rank(), {0, 0}, 1 - link.rank(), {0, 0});
    };
    const auto done = simulate(pack(2, 1, body), uniform_machine(Hockney{alpha, beta}, alpha / 1024));
    EXPECT_EQ(done.makespan(), 3 * alpha);
    const auto slow = simulate(pack(2, 1, body), uniform_machine(Hockney{4 * alpha, beta}, alpha / 1024));
    EXPECT_EQ(slow.makespan(), 6 * alpha);
}

TEST(Simulator, the_timeline_shows_what_every_rank_did) {
    Timeline timeline;
    simulate(pack(2, 1, [](Link& link) { binomial_reduce(link, 1024); }), machine, &timeline);
    using Activity = Interval::Activity;
    const Seconds arrived = hockney(1, 1024, 0);
    EXPECT_THAT(timeline.intervals,
                ::testing::ElementsAre(Interval{1, Activity::send, 0, arrived, 0, 1024, 0},
                                       Interval{0, Activity::receive, 0, arrived, 1, 1024, 0},
                                       Interval{0, Activity::reduce, arrived, hockney(1, 1024, 1024), 0, 1024,
                                                ~std::uint32_t(0)}));
}

TEST(Simulator, messages_of_a_node_share_its_card) {
    // Four ranks of one node send to four ranks of another; the card is as fast as two of them.
    const auto pairs = [](Link& link) {
        if (link.rank() < 4) link.send(link.rank() + 4, {0, 1024});
        if (link.rank() >= 4) link.receive(link.rank() - 4, {0, 1024});
    };
    Machine nodes = machine;
    nodes.nodes = block_nodes(8, 4);
    nodes.card = 2 / beta;
    EXPECT_EQ(time(8, pairs, nodes), hockney(1, 2 * 1024, 0));
    nodes.card = 4 / beta;
    EXPECT_EQ(time(8, pairs, nodes), hockney(1, 1024, 0));
}

TEST(Simulator, a_card_carries_messages_in_their_order) {
    const auto body = [](Link& link) {
        const std::size_t count = link.rank() % 2 == 0 ? 1024 : 3072;
        if (link.rank() < 2) link.send(link.rank() + 2, {0, count});
        if (link.rank() >= 2) link.receive(link.rank() - 2, {0, count});
    };
    Machine nodes = machine;
    nodes.nodes = block_nodes(4, 2);
    nodes.card = 1 / beta;
    const auto done = simulate(pack(4, 1, body), nodes);
    EXPECT_EQ(done.finish[0], hockney(1, 1024, 0));
    EXPECT_EQ(done.finish[1], hockney(1, 1024 + 3072, 0));
}

// Windows: copying a byte takes beta, a hand-over takes alpha.

constexpr WindowShape shape{.depth = 8, .slot = 4096};

Seconds time_in_window(int p, Collective collective, std::size_t bytes, SharedMemory window = {alpha, beta}) {
    Machine shared = machine;
    shared.nodes = block_nodes(p, p);
    shared.window = window;
    return time(
        p,
        [&](Recorder& recorder) {
            recorder.share(shape);
            const Slice data{0, bytes};
            find_algorithm(collective, "shm")
                ->body(recorder, {.data = data, .blocks = Blocks(data, p), .root = 0});
        },
        shared);
}

TEST(SimulatedWindow, hands_over_once) {
    EXPECT_EQ(time_in_window(2, Collective::barrier, 0), alpha);
    // All ranks put at once, and each combines the others' vectors with its own.
    EXPECT_EQ(time_in_window(2, Collective::allreduce, 64), alpha + (1 + 1) * 64 * beta);
    EXPECT_EQ(time_in_window(3, Collective::allreduce, 64), alpha + (1 + 2) * 64 * beta);
    EXPECT_EQ(time_in_window(7, Collective::bcast, 64), alpha + (1 + 1) * 64 * beta);
}

TEST(SimulatedWindow, goes_slot_by_slot) {
    // The root fills a slot while others read the one before.
    for (const std::size_t slots : {1, 2, 8, 16})
        EXPECT_EQ(time_in_window(3, Collective::bcast, slots * shape.slot, {shape.slot * beta / 2, beta}),
                  (double(slots) + 1.5) * double(shape.slot) * beta);
}

// Ranks put the next slot's input before their share of the last slot's sum, whose round is the earlier one:
// three slots of a sum were waited for in vain, and others were read before they were filled.
TEST(SimulatedWindow, finds_the_round_that_is_asked_for) {
    Seconds before = 0;
    for (std::size_t slots = 1; slots <= 40; ++slots) {
        const Seconds time = time_in_window(4, Collective::allreduce, slots * shape.slot);
        EXPECT_GT(time, before) << slots;
        EXPECT_LT(time, double(slots) * time_in_window(4, Collective::allreduce, shape.slot) + alpha)
            << slots;
        before = time;
    }
}

TEST(SimulatedWindow, fills_a_slot_again_when_all_have_left) {
    const SharedMemory slow{1024 * shape.slot * beta, beta};
    EXPECT_LT(time_in_window(2, Collective::bcast, 8 * shape.slot, slow), 1.1 * slow.hand_over);
    EXPECT_GT(time_in_window(2, Collective::bcast, 9 * shape.slot, slow), 3 * slow.hand_over);
    EXPECT_LT(time_in_window(2, Collective::bcast, 9 * shape.slot, slow), 3.1 * slow.hand_over);
}

TEST(SimulatedWindow, shares_the_memory) {
    Machine shared = machine;
    shared.nodes = block_nodes(4, 4);
    shared.window = SharedMemory{0, beta};
    shared.memory = 2 / beta;  // each of four ranks gets half of its full speed
    const auto put = [](Recorder& recorder) {
        recorder.share(shape);
        recorder.window()->put(0, {0, 1024});
    };
    EXPECT_EQ(time(4, put, shared), 2 * 1024 * beta);
    shared.memory = 8 / beta;
    EXPECT_EQ(time(4, put, shared), 1024 * beta);
}

/// A rank alone copies eight times as fast as one of sixteen, one of fifteen twice as fast. Combining is
/// alike.
const AtWork crowd{{1, beta / 8, beta / 8}, {15, beta / 2, beta / 2}, {16, beta, beta}};

TEST(SimulatedWindow, takes_the_longer_the_more_ranks_are_at_work) {
    Machine shared = machine;
    shared.window = SharedMemory{alpha, beta};
    shared.at_work = crowd;
    const auto takes = [&](int p, Collective collective) {
        shared.nodes = block_nodes(p, p);
        const auto body = [&](Recorder& recorder) {
            recorder.share(shape);
            const Slice data{0, 64};
            find_algorithm(collective, "shm")
                ->body(recorder, {.data = data, .blocks = Blocks(data, p), .root = 0});
        };
        return time(p, body, shared);
    };
    // The root puts alone; then all others read at once.
    EXPECT_EQ(takes(2, Collective::bcast), alpha + 64 * beta * (0.125 + 0.125));
    EXPECT_EQ(takes(9, Collective::bcast),
              alpha + 64 * beta * (0.125 + 0.3125));  // in the middle of 1 and 15
    EXPECT_EQ(takes(16, Collective::bcast), alpha + 64 * beta * (0.125 + 0.5));
    // All ranks put, and each combines fifteen others' vectors with its own.
    EXPECT_EQ(takes(16, Collective::allreduce), alpha + 64 * beta * (1 + 15));
    EXPECT_EQ(takes(15, Collective::allreduce), alpha + 64 * beta * (1 + 14) / 2);
    // Combining has a price of its own.
    shared.gamma = 16 * beta;
    EXPECT_EQ(takes(16, Collective::allreduce), alpha + 64 * beta * (1 + 16 * 15));
    EXPECT_EQ(takes(15, Collective::allreduce), alpha + 64 * beta * (1 + 16 * 14) / 2);
}

// Work on one node does not slow down another node.
TEST(SimulatedWindow, counts_the_ranks_of_a_node) {
    Machine shared = machine;
    shared.window = SharedMemory{alpha, beta};
    shared.at_work = crowd;
    shared.nodes = block_nodes(30, 15);
    const auto put = [](Recorder& recorder) {
        recorder.share(shape);
        recorder.window()->put(0, {0, 1024});
    };
    EXPECT_EQ(time(30, put, shared), 1024 * beta / 2);
}

TEST(SimulatedWindow, has_no_price_where_nothing_is_known_of_the_memory) {
    const auto put = [](Recorder& recorder) {
        recorder.share(shape);
        recorder.window()->put(0, {0, 8});
    };
    EXPECT_THAT([&] { time(2, put); }, ThrowsMessage<Error>(HasSubstr("through a window has no price")));
    Machine shared = machine;
    shared.window = SharedMemory{};
    const auto wait = [](Recorder& recorder) {
        recorder.share(shape);
        if (recorder.rank() == 0) recorder.window()->get(0, 1, 0, {0, 8});
    };
    EXPECT_THAT([&] { time(2, wait, shared); }, ThrowsMessage<Error>(HasSubstr("waits for ever")));
}

TEST(Simulator, tells_when_each_step_was_over) {
    // Consecutive work is replayed as one piece, but each part of it has its own end.
    Machine copies = machine;
    copies.copy = 2 * gamma_;
    Timeline timeline;
    const Schedule schedule = record(2, 1, [](Recorder& link) {
        if (link.rank() == 0) {
            Scratch scratch(link);
            const Slice other = scratch(1024);
            link.reduce({0, 1024}, other, Side::before);
            link.copy(other, {0, 1024});
            link.reduce({0, 512}, other.part(0, 512), Side::before);
            link.send(1, {0, 1024});
        } else {
            link.receive(0, {0, 1024});
        }
    });
    simulate(schedule, copies, &timeline);
    const Seconds worked = 3584 * gamma_, arrived = worked + alpha + 1024 * beta;
    EXPECT_THAT(timeline.step_ends,
                ElementsAre(DoubleEq(1024 * gamma_), DoubleEq(3072 * gamma_), DoubleEq(worked),
                            DoubleEq(worked), DoubleEq(arrived), 0, DoubleEq(arrived)));
}

}  // namespace
}  // namespace echelon
