// SPDX-License-Identifier: Apache-2.0
// Model times of a message, of a burst of messages and of the paper's examples. A replay gives equal times.
#include "core/error.hpp"
#include "estimators/simulator/load.hpp"
#include "estimators/simulator/simulator.hpp"
#include "support/proof.hpp"
#include "support/refusal.hpp"
#include "support/textbook.hpp"

#include <gmock/gmock.h>

namespace echelon {
namespace {

using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const LogGP log_gp{.latency = 30.4e-6, .overhead = 8.15e-6, .gap = 8.683e-6, .per_byte = 0.015e-6};  // Boba
const PLogP p_log_p{.latency = 40e-6,
                    .gap = Table({{0, 17e-6}, {1e6, 15e-3}}),
                    .send_overhead = Table({{0, 8e-6}, {1e6, 2e-4}}),
                    .receive_overhead = Table({{0, 9e-6}, {1e6, 3e-4}})};
const Postal postal{.alpha_p = 500e-9, .alpha_r = 100e-9, .beta = 0.4e-9};

/// The simulator rounds every time to 14 fs.
#define EXPECT_SAME_TIME(a, b) EXPECT_NEAR(a, b, 1e-12)

Seconds replay(int p, const Network& network, const std::function<void(Recorder&)>& body,
               SecondsPerByte gamma = 0) {
    return simulate(pack(p, 1, body), uniform_machine(network, gamma)).makespan();
}

/// Rank 0 sends to all others at once.
Seconds burst(int peers, Bytes bytes, const Network& network) {
    return replay(peers + 1, network, [=](Link& link) {
        textbook::bcast(link, textbook::flat_tree(link.rank(), link.size()), bytes, 0);
    });
}

TEST(Table, is_made_of_straight_lines) {
    const Table table({{0, 1}, {10, 3}, {20, 3}});
    EXPECT_EQ(table.extended(5), 2);
    EXPECT_EQ(table.extended(15), 3);
    EXPECT_EQ(table.extended(-5), 1);
    EXPECT_EQ(table.extended(100), 3);
    EXPECT_EQ(Table({{0, 1}, {10, 3}}).extended(20), 5);
    EXPECT_EQ(Table({{7, 2}}).extended(20), 2);
    EXPECT_EQ(Table().extended(20), 0);
    EXPECT_THROW(Table({{1, 1}, {1, 2}}), Error);
    EXPECT_THROW(Table({{1, std::nan("")}}), Error);
}

TEST(Hockney, has_a_piece_for_every_length) {
    const PiecewiseHockney model{{{0, {1, 0.5}}, {8, {3, 0.25}}}};
    EXPECT_EQ(model.time(4), 3);
    EXPECT_EQ(model.time(7), 4.5);
    EXPECT_EQ(model.time(8), 5);
    EXPECT_EQ(model.time(100), 28);
}

TEST(LogGP, one_message_and_a_burst) {
    for (const Bytes m : {0, 1, 1000}) {
        const Seconds tail = m == 0 ? 0 : double(m - 1) * log_gp.per_byte;
        EXPECT_SAME_TIME(burst(1, m, log_gp), log_gp.latency + 2 * log_gp.overhead + tail);
        EXPECT_SAME_TIME(burst(5, m, log_gp),
                         log_gp.latency + 2 * log_gp.overhead + tail + 4 * (log_gp.gap + tail));
    }
}

/// All other ranks send to rank 0.
TEST(LogGP, messages_to_one_rank_come_apart_by_the_receive_gap) {
    const auto gather = [](Link& link) {
        textbook::reduce(link, textbook::flat_tree(link.rank(), link.size()), 1, 0);
    };
    LogGP model = log_gp;
    EXPECT_SAME_TIME(replay(6, model, gather), model.time(1) + 4 * model.overhead);
    model.receive_gap = 20e-6;
    EXPECT_SAME_TIME(replay(6, model, gather), model.time(1) + 4 * model.receive_gap);
}

/// Two ranks send to a third one at once, which waits for both.
TEST(Protocol, latencies_overlap_and_short_sends_do_not_wait) {
    const Protocol model{.one_way = {{{0, {10, 1}}}},
                         .send_overhead = Table::constant(2),
                         .receive_overhead = Table::constant(2),
                         .rendezvous_from = 8};
    EXPECT_SAME_TIME(model.time(4), 14);
    EXPECT_SAME_TIME(burst(1, 4, model), 14);
    EXPECT_SAME_TIME(burst(2, 4, model), 14 + 4) << "the second one waits for the first one's bytes alone";
    EXPECT_SAME_TIME(burst(1, 8, model), 18);
    EXPECT_SAME_TIME(burst(2, 8, model), 18 + 8);
    const auto late = [](Bytes bytes) {
        return [bytes](Link& link) {
            if (link.rank() == 0) link.send(1, {0, bytes});
            if (link.rank() == 1) {
                link.receive(2, {0, 4});
                link.receive(0, {0, bytes});
            }
            if (link.rank() == 2) {
                link.receive(0, {0, 4});
                link.send(1, {0, 4});
            }
            if (link.rank() == 0) link.send(2, {0, 4});
        };
    };
    EXPECT_SAME_TIME(replay(3, model, late(4)), 2 + 4 + 12 + 14 + 2)
        << "the second message waits for the port, the first one for its receive";
    EXPECT_THROW((void)replay(3, model, late(8)), Error) << "a long send waits for its receive";
}

/// A library may keep a short message until its receive is posted, though its sender goes on. It was replayed
/// as if it had travelled before.
TEST(Protocol, a_matched_message_travels_once_its_receive_is_posted) {
    Protocol model{.one_way = {{{0, {10, 1}}}}, .rendezvous_from = 8, .matched_from = 4};
    const auto late = [](Bytes bytes) {
        return [bytes](Link& link) {
            if (link.rank() == 0) link.send(1, {0, bytes});
            if (link.rank() == 1) {
                link.receive(2, {0, 1});
                link.receive(0, {0, bytes});
            }
            if (link.rank() == 0) link.send(2, {0, 1});
            if (link.rank() == 2) {
                link.receive(0, {0, 1});
                link.send(1, {0, 1});
            }
        };
    };
    EXPECT_SAME_TIME(replay(3, model, late(3)), 3 + 11 + 11) << "it has come by then";
    EXPECT_SAME_TIME(replay(3, model, late(4)), 11 + 11 + 14) << "the sender goes on, the message does not";
    model.rendezvous_from = 4;
    EXPECT_THROW((void)replay(3, model, late(4)), Error) << "the sender waits, too";
}

/// A blocking send needs no request.
TEST(Protocol, blocking_sends_have_a_cost_of_their_own) {
    const Protocol model{.one_way = {{{0, {10, 1}}}},
                         .send_overhead = Table::constant(3),
                         .rendezvous_from = 64,
                         .blocking_overhead = Table({{0, 1}, {8, 2}})};
    const auto one = [](Bytes bytes, bool blocking) {
        return [=](Link& link) {
            if (link.rank() == 1) return link.receive(0, {0, bytes});
            if (blocking) return link.send(1, {0, bytes});
            link.wait(link.start_send(1, {0, bytes}));
        };
    };
    EXPECT_SAME_TIME(replay(2, model, one(8, true)), model.time(8));
    EXPECT_SAME_TIME(replay(2, model, one(8, false)), model.time(8) + 1);
    EXPECT_SAME_TIME(replay(2, model, one(16, true)), model.time(16)) << "too long for the table";
    EXPECT_SAME_TIME(replay(2, model, one(16, false)), model.time(16));
}

/// Long messages of one sender share its link. They were replayed one after the other: the first receivers
/// went on too early, and trees with several children were priced too low.
TEST(Protocol, long_messages_of_one_sender_are_carried_side_by_side) {
    const Protocol model{.one_way = {{{0, {10, 1}}}}, .rendezvous_from = 8};
    const auto sends = [](std::initializer_list<Bytes> all) {
        return [lengths = std::vector<Bytes>(all)](Link& link) {
            std::vector<Link::Ticket> sent;
            for (int to = 1; to <= int(lengths.size()); ++to) {
                const Slice what{0, lengths[std::size_t(to - 1)]};
                if (link.rank() == 0) sent.push_back(link.start_send(to, what));
                if (link.rank() == to) link.receive(0, what);
            }
            for (const auto one : sent) link.wait(one);
        };
    };
    const auto finish = [&](std::initializer_list<Bytes> lengths, const Protocol& by) {
        const auto all =
            simulate(pack(1 + int(lengths.size()), 1, sends(lengths)), uniform_machine(by)).finish;
        return std::vector<double>(all.begin() + 1, all.end());
    };
    EXPECT_THAT(finish({100}, model), ElementsAre(DoubleEq(110)));
    EXPECT_THAT(finish({100, 100, 100}, model), ElementsAre(DoubleEq(310), DoubleEq(310), DoubleEq(310)));
    EXPECT_THAT(finish({4, 4, 4}, model), ElementsAre(DoubleEq(14), DoubleEq(18), DoubleEq(22)))
        << "short ones go one after the other";
    EXPECT_THAT(finish({100, 200}, model), ElementsAre(DoubleEq(210), DoubleEq(310)))
        << "the longer one has the port for itself afterwards";
    Protocol half = model;
    half.held = 0.5;
    EXPECT_THAT(finish({100, 100}, half), ElementsAre(DoubleEq(110), DoubleEq(110)))
        << "alone each takes half of it";
    EXPECT_THAT(finish({100, 100, 100, 100}, half), Each(DoubleEq(210)));
}

/// Two ranks of a node send at once through its card: both messages end together.
TEST(Protocol, long_messages_share_a_card_alike) {
    Machine machine{.inside = Protocol{.one_way = {{{0, {1, 0.5}}}}, .rendezvous_from = 0},
                    .between = Protocol{.one_way = {{{0, {10, 1}}}}, .rendezvous_from = 0},
                    .nodes = {0, 0, 1, 1},
                    .card = 1};
    const auto pairs = [](Link& link) {
        if (link.rank() < 2) link.send(link.rank() + 2, {0, 100});
        if (link.rank() >= 2) link.receive(link.rank() - 2, {0, 100});
    };
    const auto finish = [&] { return simulate(pack(4, 1, pairs), machine).finish; };
    EXPECT_THAT(finish(), Each(DoubleEq(210)));
    machine.card = 2;
    EXPECT_THAT(finish(), Each(DoubleEq(110)));
    machine.one_port = true;
    EXPECT_THAT(finish(), Each(DoubleEq(110)));
}

/// Messages beyond the number that a port shares wait, and none is lost.
TEST(Protocol, any_number_of_long_messages_may_wait_for_a_port) {
    const Protocol model{.one_way = {{{0, {10, 1}}}}, .rendezvous_from = 0};
    constexpr int p = 101;
    const auto all_to_root = [](Link& link) {
        std::vector<Link::Ticket> under_way;
        for (int other = 1; other < p; ++other) {
            if (link.rank() == 0) under_way.push_back(link.start_receive(other, {Bytes(other) * 10, 10}));
            if (link.rank() == other) under_way.push_back(link.start_send(0, {Bytes(other) * 10, 10}));
        }
        for (const auto one : under_way) link.wait(one);
    };
    EXPECT_NEAR(replay(p, model, all_to_root), 1000 + 10, 1e-6);
}

TEST(PLogP, one_message_and_a_burst) {
    for (const Bytes m : {0, 1000, 100000}) {
        const double g = p_log_p.g(double(m));
        EXPECT_SAME_TIME(burst(1, m, p_log_p), p_log_p.latency + g);
        EXPECT_SAME_TIME(burst(5, m, p_log_p), p_log_p.latency + 5 * g);
    }
}

TEST(Postal, one_message_and_a_burst) {
    for (const Bytes m : {0, 1000}) {
        EXPECT_SAME_TIME(burst(1, m, postal), postal.alpha_p + postal.alpha_r + double(m) * postal.beta);
        EXPECT_SAME_TIME(burst(5, m, postal),
                         postal.alpha_p + 5 * (postal.alpha_r + double(m) * postal.beta));
    }
}

Schedule multiplying(int p, std::string_view schedule) {
    ProofCase one = proof_case(*find_algorithm(Collective::allreduce, "recursive_multiplying"), p, 1);
    one.schedule = schedule;
    return record(one);
}

/// Figures 18 to 22 of Ruefenacht, Bull and Booth 2017: latency 500 ns, of which 100 ns do not overlap, 0.4
/// ns a byte.
TEST(Postal, replays_the_figures_of_the_paper) {
    const Machine machine = uniform_machine(Postal{400e-9, 100e-9, 0.4e-9}, 0);
    const auto time = [&](int p, std::string_view schedule) {
        return simulate(multiplying(p, schedule), machine);
    };
    const Seconds byte = 8 * 0.4e-9;  // one element
    EXPECT_SAME_TIME(time(8, "a2-a2-a2").makespan(), 3 * (500e-9 + byte));
    EXPECT_SAME_TIME(time(8, "a8").makespan(), 400e-9 + 7 * (100e-9 + byte));

    // Seven ranks: the folded schedule is by far the slowest, and ends in a skew; the merged ones end
    // together.
    const Replayed split = time(7, "c6m2-a2-a2-e6m2"), merged = time(7, "m1g2a3-n1g3a2"),
                   merged_more = time(7, "m3g2a2-n3g2a2");
    EXPECT_GT(split.makespan(), merged.makespan() + 400e-9);
    EXPECT_GT(split.makespan(), merged_more.makespan() + 400e-9);
    const auto skew = [](const Replayed& replayed) {
        return replayed.makespan() - *std::min_element(replayed.finish.begin(), replayed.finish.end());
    };
    EXPECT_GT(skew(split), 500e-9);
    EXPECT_LT(skew(merged), 250e-9);
    EXPECT_LT(skew(merged_more), 350e-9);
}

/// Each of k ranks that send at once gets its own rate, or its share of the card if that is less (Gropp,
/// Olson and Samfass 2016).
TEST(Machine, a_shared_card_gives_the_max_rate_model) {
    constexpr double alpha = 2e-6, own = 3e9, card = 1e10;
    Machine machine{.inside = Hockney{5e-7, 1e-10}, .between = Hockney{alpha, 1 / own}, .card = card};
    for (const int pairs : {1, 2, 3, 4, 8, 16}) {
        machine.nodes = block_nodes(2 * pairs, pairs);
        const auto packed = pack(2 * pairs, 1, [=](Link& link) {
            if (link.rank() < pairs)
                link.send(link.rank() + pairs, {0, 100000});
            else
                link.receive(link.rank() - pairs, {0, 100000});
        });
        EXPECT_NEAR(simulate(packed, machine).makespan(), alpha + 1e5 * std::max(1 / own, pairs / card),
                    1e-11)
            << pairs << " pairs";
    }
}

TEST(Machine, ranks_of_a_node_share_its_memory) {
    Machine machine{
        .inside = Hockney{1e-6, 1e-10}, .between = Hockney{5e-6, 1e-9}, .nodes = block_nodes(8, 8)};
    const auto pairs = [](Link& link) {
        link.exchange(link.rank() ^ 1, {0, 1000000}, link.rank() ^ 1, {0, 1000000});
    };
    EXPECT_SAME_TIME(simulate(pack(8, 1, pairs), machine).makespan(), 1e-6 + 1e-4);
    machine.memory = 2e10;  // two of the eight messages at full speed
    EXPECT_SAME_TIME(simulate(pack(8, 1, pairs), machine).makespan(), 1e-6 + 4e-4);
}

/// Two sites of two nodes: a message goes by the farthest level at which its ranks differ, and all that leave
/// a site share its uplink.
TEST(Machine, has_levels_beyond_its_nodes) {
    Machine machine{.inside = Hockney{1e-6, 1e-10},
                    .between = Hockney{5e-6, 1e-9},
                    .nodes = block_nodes(8, 2),
                    .beyond = {{.network = Hockney{1e-3, 2e-9}, .of_node = {0, 0, 1, 1}}}};
    const auto time = [&](int to) {
        return simulate(pack(8, 1,
                             [=](Link& link) {
                                 if (link.rank() == 0) link.send(to, {0, 1000});
                                 if (link.rank() == to) link.receive(0, {0, 1000});
                             }),
                        machine)
            .makespan();
    };
    EXPECT_SAME_TIME(time(1), 1e-6 + 1e-7);
    EXPECT_SAME_TIME(time(2), 5e-6 + 1e-6);
    EXPECT_SAME_TIME(time(4), 1e-3 + 2e-6);
    EXPECT_SAME_TIME(time(7), 1e-3 + 2e-6);

    const auto all = pack(8, 1, [](Link& link) {
        if (link.rank() < 4)
            link.send(link.rank() + 4, {0, 1000});
        else
            link.receive(link.rank() - 4, {0, 1000});
    });
    EXPECT_SAME_TIME(simulate(all, machine).makespan(), 1e-3 + 2e-6);
    machine.beyond[0].uplink = 1e6;
    EXPECT_SAME_TIME(simulate(all, machine).makespan(), 1e-3 + 4e-3) << "four messages share the uplink";
    EXPECT_SAME_TIME(busiest(all, machine), 4e-3);

    machine.beyond[0].of_node.pop_back();
    EXPECT_THAT(refusal([&] { return simulate(all, machine); }),
                HasSubstr("where 3 nodes belong, but has 4"));
}

/// A row of four in a torus of 4 x 3: each link beyond the first adds to a message, and is shared in its
/// direction.
TEST(Machine, has_links_in_a_torus) {
    Machine machine{.inside = Hockney{1e-6, 1e-10},
                    .between = Protocol{.one_way = {{{0, {5e-6, 1e-9}}}}, .rendezvous_from = 0, .held = 0}};
    machine.torus = {.of_node = {}, .hop = 2e-6, .link = 1e9, .hops = 1};
    for (std::uint8_t x = 0; x < 4; ++x) machine.torus->of_node.push_back({.at = {x, 0}, .size = {4, 3}});
    const auto time = [&](const std::vector<std::pair<int, int>>& messages) {
        return simulate(pack(4, 1,
                             [=](Link& link) {
                                 std::vector<Link::Ticket> all;
                                 for (const auto& [from, to] : messages) {
                                     if (link.rank() == from) all.push_back(link.start_send(to, {0, 1000}));
                                     if (link.rank() == to)
                                         all.push_back(link.start_receive(from, {0, 1000}));
                                 }
                                 for (const Link::Ticket one : all) link.wait(one);
                             }),
                        machine)
            .makespan();
    };
    EXPECT_SAME_TIME(time({{0, 1}}), 5e-6 + 1e-6);
    EXPECT_SAME_TIME(time({{0, 3}}), 5e-6 + 1e-6) << "round the end";
    EXPECT_SAME_TIME(time({{0, 2}}), 7e-6 + 1e-6);
    EXPECT_SAME_TIME(time({{0, 2}, {1, 2}}), 7e-6 + 2e-6) << "both go by the link from 1 to 2";
    EXPECT_SAME_TIME(time({{0, 2}, {2, 1}}), 7e-6 + 1e-6) << "one goes the other way";
    machine.torus->of_node.pop_back();
    EXPECT_THAT(refusal([&] { return time({{0, 1}}); }), HasSubstr("where 3 nodes belong, but has 4"));
}

TEST(Machine, names_the_node_of_every_rank) {
    Machine machine = uniform_machine(postal);
    machine.nodes = {0, 1};
    EXPECT_THAT(refusal([&] { return simulate(pack(3, 1, [](Link&) {}), machine); }),
                HasSubstr("names the nodes of 2 ranks, but the schedule has 3"));
}

/// A message begins when another one is half way through the card.
TEST(Machine, all_networks_share_a_card_alike) {
    for (const Network& network : {Network(Hockney{0, 1e-9}), Network(LogGP{.per_byte = 1e-9}),
                                   Network(Postal{.beta = 1e-9}), Network(Hockney{0, 1e-9, 1 << 30})}) {
        Machine machine = uniform_machine(network);
        machine.nodes = block_nodes(4, 2);
        machine.card = 1e9;
        machine.gamma = 1e-9;
        const auto body = [](Link& link) {
            if (link.rank() == 1) link.reduce({0, 50000}, {50000, 50000}, Side::after);
            if (link.rank() < 2)
                link.send(link.rank() + 2, {0, 100001});
            else
                link.receive(link.rank() - 2, {0, 100001});
        };
        const Replayed done = simulate(pack(4, 1, body), machine);
        EXPECT_NEAR(done.finish[2], 100e-6, 1e-8) << network.index();
        EXPECT_NEAR(done.finish[3], 200e-6, 1e-8) << network.index() << ": after the first one";
    }
}

}  // namespace
}  // namespace echelon
