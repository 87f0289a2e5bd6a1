// SPDX-License-Identifier: Apache-2.0
// Bytes across a node's network card, and the gain of pipelining across two levels: schedules of recipes,
// replayed on nodes.
#include "estimators/simulator/simulator.hpp"
#include "hier/recorded_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace echelon {
namespace {

Placement nodes_of(int p, int size) {
    std::ostringstream words;
    for (int r = 0; r < p; ++r) words << 'n' << r / size << ' ';
    return placements(words.str());
}

PackedSchedule recorded(const std::string& recipe, int p, int size, std::size_t count) {
    const Call call{.collective = Collective::allreduce, .count = count, .element_size = 8};
    return pack(record(Recipe::parse(recipe), call, nodes_of(p, size)));
}

/// Bytes that leave the busiest node, in units of the vector.
double leaving(const std::string& recipe, int p, int size) {
    const std::size_t count = std::size_t(p) * std::size_t(p) * 64;
    const auto schedule = recorded(recipe, p, size, count);
    std::vector<Bytes> bytes(std::size_t(p / size + 1), 0);
    for (const auto& message : schedule.messages)
        if (int(message.from) / size != int(message.to) / size)
            bytes[message.from / unsigned(size)] += schedule.lengths[message.length];
    return double(*std::max_element(bytes.begin(), bytes.end())) / double(count * 8);
}

struct Traffic {
    int p, size;
    double ring, recursive_doubling, rabenseifner, circulant, positions, leaders, lanes;
};

class NodeTraffic : public testing::TestWithParam<Traffic> {};

/// The ideal is 2 (G - 1) / G: only the shapes reach it, and flat algorithms whose long messages stay near.
TEST_P(NodeTraffic, is_what_the_table_says) {
    const Traffic& t = GetParam();
    EXPECT_NEAR(leaving("ring", t.p, t.size), t.ring, 0.01);
    EXPECT_NEAR(leaving("recursive_doubling", t.p, t.size), t.recursive_doubling, 0.01);
    EXPECT_NEAR(leaving("rabenseifner", t.p, t.size), t.rabenseifner, 0.05);
    EXPECT_NEAR(leaving("circulant", t.p, t.size), t.circulant, 0.06);
    EXPECT_NEAR(leaving("positions(node, ring, ring)", t.p, t.size), t.positions, 0.06);
    EXPECT_NEAR(leaving("leaders(node, binomial, circulant)", t.p, t.size), t.leaders, 0.01);
    EXPECT_NEAR(leaving("lanes(node, ring, circulant)", t.p, t.size), t.lanes, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Clusters, NodeTraffic,
                         testing::Values(Traffic{16, 4, 1.88, 8, 1.50, 6.6, 6.0, 1.50, 1.50},
                                         Traffic{64, 8, 1.97, 24, 1.75, 14.7, 14.0, 1.75, 1.75},
                                         Traffic{48, 8, 1.96, 16, 1.75, 14.0, 13.3, 1.67, 1.67},
                                         Traffic{60, 12, 1.97, 20, 3.6, 20.6, 19.2, 1.60, 1.60}));

/// 32 ranks on nodes of 8: inside 0.5 us and 0.2 ns a byte, across 2 us, and a card of 0.1 ns a byte.
Machine cluster() {
    Machine machine{
        .inside = Hockney{5e-7, 2e-10}, .between = Hockney{2e-6, 1e-10}, .nodes = block_nodes(32, 8)};
    machine.card = 1e10;
    machine.gamma = 1e-10;
    return machine;
}

Seconds time_on_cluster(const std::string& recipe) {
    return simulate(recorded(recipe, 32, 8, (4 << 20) / 8), cluster()).makespan();
}

TEST(SharedCard, bounds_what_flat_algorithms_reach) {
    const Machine machine = cluster();
    const double vector = 4 << 20;
    for (const char* recipe : {"ring", "recursive_doubling", "circulant", "lanes(node, ring, circulant)"})
        EXPECT_GE(time_on_cluster(recipe), leaving(recipe, 32, 8) * vector / machine.card) << recipe;
    // Eight ranks of a node at once: the flat circulant pays for it, lanes do not.
    EXPECT_GT(time_on_cluster("circulant"), 2 * time_on_cluster("lanes(node, circulant, circulant)"));
}

/// Times from an independent program, for the same cluster and for one with Gigabit Ethernet between its
/// nodes.
TEST(SharedCard, gives_the_times_that_others_found) {
    EXPECT_NEAR(time_on_cluster("ring"), 2063e-6, 1e-6);
    EXPECT_NEAR(time_on_cluster("leaders(node, binomial, circulant)"), 7246e-6, 1e-6);
    Machine ethernet = cluster();
    ethernet.between = Hockney{50e-6, 8e-9};
    ethernet.card = 1.25e8;
    ethernet.gamma = 3e-10;
    const auto time = [&](const char* recipe) {
        return simulate(recorded(recipe, 32, 8, (4 << 20) / 8), ethernet).makespan();
    };
    EXPECT_NEAR(time("ring"), 69.3e-3, 0.1e-3);
    EXPECT_NEAR(time("leaders(node, binomial, circulant)"), 60.3e-3, 0.1e-3);
}

/// Segments of the vector are in different phases at the same time.
TEST(Pipelining, across_levels_gains_until_segments_are_short) {
    const Seconds uncut = time_on_cluster("lanes(node, ring, circulant)");
    const Seconds cut = time_on_cluster("lanes(node, ring, circulant, seg=512K)");
    const Seconds shreds = time_on_cluster("lanes(node, ring, circulant, seg=8K)");
    EXPECT_LT(cut, 0.7 * uncut);
    EXPECT_GT(shreds, cut);
    EXPECT_LT(time_on_cluster("leaders(node, binomial, circulant, seg=512K)"),
              0.9 * time_on_cluster("leaders(node, binomial, circulant)"));
}

/// A port that serves both levels reduces the gain.
TEST(Pipelining, needs_ports_of_its_own_for_each_level) {
    const auto schedule = recorded("lanes(node, ring, circulant, seg=512K)", 32, 8, (4 << 20) / 8);
    Machine machine = cluster();
    const Seconds apart = simulate(schedule, machine).makespan();
    machine.one_port = true;
    EXPECT_GT(simulate(schedule, machine).makespan(), 1.2 * apart);
}

/// T(n) = sum of the phases' times + (n - 1) times the busiest resource: three phases of a chain of ranks
/// that do nothing else, one of them twice as long.
TEST(Pipelining, takes_the_sum_of_the_phases_and_then_the_longest_one) {
    constexpr Seconds unit = 1.0 / (1 << 20);
    const auto body = [](Recorder& link) {
        for (std::size_t phase = 0; phase < 3; ++phase) {
            link.on_strand(phase);
            for (std::size_t segment = 0; segment < 10; ++segment) {
                if (phase > 0) link.await(phase - 1, segment + 1);
                const int from = int(phase), to = from + 1;
                if (link.rank() == from) link.send(to, {0, phase == 1 ? 2u : 1u});
                if (link.rank() == to) link.receive(from, {0, phase == 1 ? 2u : 1u});
                link.mark();
            }
        }
    };
    EXPECT_DOUBLE_EQ(simulate(pack(4, 1, body), uniform_machine(Hockney{0, unit})).makespan(),
                     (4 + 9 * 2) * unit);
}

}  // namespace
}  // namespace echelon
