// SPDX-License-Identifier: Apache-2.0
// Several messages at once: trees of them against what the machine does by hand.
#include "estimators/fan.hpp"
#include "estimators/fit_machine.hpp"
#include "estimators/recipe_time.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

constexpr FanMessage one_port{10, 10, 0}, latency_shared{10, 1, 0}, shares{10, 4, 4};

TEST(Fan, messages_wait_for_each_other_or_not) {
    EXPECT_EQ(time_of_fan(7, one_port, 8), 70);
    EXPECT_EQ(time_of_fan(7, latency_shared, 8), 16);
    EXPECT_EQ(time_of_fan(9, latency_shared, 8), 2 * 10 + 7 * 1) << "the ninth begins when one is done";
    EXPECT_EQ(time_of_fan(0, one_port, 8), 0);
}

TEST(Branches, the_last_subtree_counts) {
    // A binomial tree's root: subtrees that still take 20, 10 and 0.
    const auto branches = [](const FanMessage& each) {
        return std::vector<Branch>{{each, 20}, {each, 10}, {each, 0}};
    };
    EXPECT_EQ(time_of_branches_down(branches(one_port), 8), 30);
    EXPECT_EQ(time_of_branches_down(branches(shares), 8), 10 + 2 * 4 + 20) << "the first waits for all";
    EXPECT_EQ(time_of_branches_down(branches(latency_shared), 1), 30) << "a window of one is a port";
    EXPECT_EQ(time_of_branches_down({}, 8), 0);
}

TEST(Branches, upwards_the_first_ready_goes_first) {
    const std::vector<Branch> ready{{latency_shared, 0}, {latency_shared, 0}, {latency_shared, 0}};
    EXPECT_EQ(time_of_branches_up(ready, 2), 20) << "the third begins when the first is done";
    EXPECT_EQ(time_of_branches_up(ready, 8), 12);
    const std::vector<Branch> binomial{{one_port, 0}, {one_port, 10}, {one_port, 20}};
    EXPECT_EQ(time_of_branches_up(binomial, 2), 30);
}

TEST(FitMachine, finds_how_messages_overlap) {
    const Hockney network{1e-5, 1e-9};
    const Fan fan{2e-7, 8e-10, 1};
    MachineSamples samples;
    for (const Bytes bytes : {Bytes(8), Bytes(16384), Bytes(262144)}) {
        const Seconds alone = network.time(double(bytes)), more = fan.gap + double(bytes) * fan.per_byte;
        samples.between.push_back({bytes, 1, alone});
        for (const int peers : {1, 2, 4, 8})
            samples.between_fan.push_back({bytes, peers, alone + (peers - 1) * more});
        samples.between_relay.push_back({bytes, 2, 2 * alone + double(bytes) * fan.per_byte});
    }
    const Parameters found = fit_machine(samples);
    ASSERT_TRUE(found.machine.between_fan.has_value());
    EXPECT_FALSE(found.machine.inside_fan.has_value()) << "nothing was measured there";
    EXPECT_NEAR(found.machine.between_fan->gap / fan.gap, 1, 0.05);
    EXPECT_NEAR(found.machine.between_fan->per_byte / fan.per_byte, 1, 0.01);
    EXPECT_NEAR(found.machine.between_fan->sharing, 1, 0.01);
}

TEST(Fan, one_port_as_a_fan_is_one_port) {
    // The two texts of a tree's time agree where both know the machine.
    const Terrain terrain(placement_of_layout("64x1"));
    Machine plain{.inside = Hockney{1e-5, 1e-9}, .between = Hockney{1e-5, 1e-9}}, fanned = plain;
    fanned.between_fan = fanned.inside_fan = Fan{1e-5, 1e-9, 0};
    RecipeTimes without(plain, terrain), with(fanned, terrain);
    for (const char* recipe : {"binomial", "knomial(k=4)", "flat_tree", "chain"})
        for (const Collective collective : {Collective::bcast, Collective::reduce})
            for (const Bytes bytes : {Bytes(8), Bytes(65536)})
                EXPECT_NEAR(*with(Recipe::parse(recipe), collective, bytes, {}) /
                                *without(Recipe::parse(recipe), collective, bytes, {}),
                            1, 1e-9)
                    << recipe << ' ' << bytes;
}

TEST(Fan, messages_that_overlap_make_wide_trees_fast) {
    const Terrain terrain(placement_of_layout("64x1"));
    Machine machine{.inside = Hockney{1e-5, 1e-9}, .between = Hockney{1e-5, 1e-9}};
    machine.between_fan = Fan{0, 1e-9, 1};
    RecipeTimes times(machine, terrain);
    const auto time = [&](const char* recipe, Collective collective, Bytes bytes) {
        return *times(Recipe::parse(recipe), collective, bytes, {});
    };
    EXPECT_NEAR(time("leaders(G=8, flat_tree, flat_tree)", Collective::bcast, 8), 2e-5, 1e-6);
    EXPECT_NEAR(time("recursive_multiplying(schedule=a8-a8)", Collective::allreduce, 8), 2e-5, 1e-6);
    // Six children share the root's way, five the next one's: 21 messages after one another.
    EXPECT_NEAR(time("binomial", Collective::bcast, 1 << 20), 21 * 1.048576e-3, 1e-4);
}

}  // namespace
}  // namespace echelon
