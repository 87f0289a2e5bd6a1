// SPDX-License-Identifier: Apache-2.0
// Prices of recipes, as a whole and as the sum of their phases, and of native collectives.
#include "core/error.hpp"
#include "estimators/price/predictor.hpp"
#include "estimators/price/recipe_time.hpp"
#include "estimators/price/replay.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "estimators/simulator/simulator.hpp"
#include "groups/layout.hpp"
#include "hier/recorded_team.hpp"
#include "support/clusters.hpp"

#include <gtest/gtest.h>
#include <array>
#include <cmath>

namespace echelon {
namespace {

constexpr Collective a = Collective::allreduce, r = Collective::reduce;

TEST(Contention, knows_the_sets_that_share_a_node) {
    const Contention blocks(placement_of_layout("4x4")), cyclic(placement_of_layout("4x4 cyclic"));
    EXPECT_EQ(blocks.crossings(), 3);
    EXPECT_EQ(cyclic.crossings(), 15);
    const Contention::Division& nodes = *cyclic.divide(Groups::node());
    EXPECT_EQ(nodes.inside.crossings(), 0);
    EXPECT_EQ(nodes.inside.sharing(), 1);
    EXPECT_EQ(nodes.leaders.sharing(), 1);
    EXPECT_EQ(nodes.across.sharing(), 4) << "four lanes share the card";
    EXPECT_EQ(nodes.across.nodes_of_one(), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(cyclic.divide(Groups::count(17)), nullptr);
}

// Three ranks of a node were priced above two ranks on two nodes: a shape that waits for the latter cost half
// of the truth.
TEST(Contention, of_sets_that_leave_a_node_is_the_worst_of_these) {
    const Contention all(placement_of_layout("2x4+1x1"));
    const Contention::Division& groups =
        *all.divide(Groups::count(4));  // one of three and three pairs, of which two leave their node
    EXPECT_EQ(groups.largest, 3);
    EXPECT_EQ(groups.inside.p(), 2);
    EXPECT_EQ(groups.inside.nodes_touched(), 2);
    EXPECT_EQ(groups.inside.nodes_of_one(), (std::vector<int>{0, 1}));
}

TEST(Contention, of_sets_on_several_sites_is_the_worst_of_these) {
    const Contention all(placement_of_layout("9x1 on 2 sites"));  // 5 nodes and 4
    const Contention::Division& pairs = *all.divide(Groups::size(2));
    EXPECT_EQ(pairs.inside.touched(Level::site), 2) << "4 and 5 are far from each other";
    EXPECT_EQ(pairs.inside.nodes_of_one(), (std::vector<int>{4, 5}));
    EXPECT_EQ(all.divide(Groups::site())->inside.touched(Level::site), 1);
    EXPECT_EQ(all.divide(Groups::site())->leaders.p(), 2);
}

TEST(Contention, of_sets_on_several_switches_is_the_worst_of_these) {
    const Contention all(placement_of_layout("9x1 on 2 switches"));  // 5 nodes and 4
    EXPECT_EQ(all.touched(Level::leaf_switch), 2);
    EXPECT_EQ(all.touched(Level::site), 1);
    EXPECT_EQ(all.divide(Groups::size(2))->inside.nodes_of_one(), (std::vector<int>{4, 5}));
    const Contention::Division& switches = *all.divide(Groups::leaf_switch());
    EXPECT_EQ(switches.inside.touched(Level::leaf_switch), 1);
    EXPECT_EQ(switches.inside.p(), 5);
    EXPECT_EQ(switches.leaders.p(), 2);
}

TEST(Machine, is_seated_on_the_levels_that_a_placement_knows) {
    Machine machine = cluster();
    machine.beyond = {{.level = Level::leaf_switch, .network = Hockney{3e-5, 8e-10}},
                      {.level = Level::site, .network = Hockney{1e-2, 1e-8}}};
    const auto levels = [&](const char* layout) {
        return seated(machine, placement_of_layout(layout)).beyond;
    };
    EXPECT_EQ(levels("4x1").size(), 0u);
    ASSERT_EQ(levels("4x1 on 2 sites").size(), 1u);
    EXPECT_EQ(levels("4x1 on 2 sites")[0].level, Level::site);
    ASSERT_EQ(levels("4x1 on 2 switches").size(), 1u);
    EXPECT_EQ(levels("4x1 on 2 switches")[0].level, Level::leaf_switch);
    const Machine both = seated(machine, placement_of_layout("6x1 on 3 switches on sites 4+2"));
    EXPECT_EQ(both.level(0, 1), 1u);
    EXPECT_EQ(both.level(0, 2), 2u);
    EXPECT_EQ(both.level(0, 4), 3u);
    EXPECT_EQ(message_time(both.beyond[both.level(0, 2) - 2].network, 0), 3e-5);
}

// Each of many ranks resolved a nested recipe by looking at all groups, which made decisions slow.
TEST(Replay, of_recipes_that_mean_the_same_to_many_ranks_is_the_recorded_schedule) {
    int replayed = 0;
    for (const char* layout : {"4x4", "4x4 cyclic", "14 on 4", "27 on 5"}) {
        const Placement placement = placement_of_layout(layout);
        Machine machine = cluster();
        Replay replay(machine, placement);
        machine.nodes.assign(placement.nodes().begin(), placement.nodes().end());
        for (const char* text :
             {"lanes(node, ring, lanes(sqrt, ring, recursive_doubling))",
              "leaders(node, binomial, leaders(sqrt, binomial, ring))",
              "positions(G=3, leaders(sqrt, binomial, recursive_doubling), leaders(G=2, binomial, ring))",
              "leaders(G=2, leaders(node, binomial, leaders(sqrt, chain, ring)), ring)",
              "leaders(node, binomial, chain)+leaders(G=3, binomial, binomial)",
              "positions(node, ring, recursive_doubling)"}) {
            const Recipe recipe = Recipe::parse(text);
            const auto seconds = replay(recipe, Collective::allreduce, 4096, {});
            if (!seconds) continue;
            ++replayed;
            const Call call = replayed_call(Collective::allreduce, 4096, placement.size(), {});
            EXPECT_DOUBLE_EQ(*seconds, simulate(record(recipe, call, placement), machine).makespan())
                << text << " on " << layout;
        }
    }
    EXPECT_GE(replayed, 16);
}

// A tree of segments was priced on two nodes, where half of its messages stay inside: half of its time.
TEST(RowReplay, of_a_pipeline_sees_all_nodes) {
    const Machine machine = cluster();
    for (const char* layout : {"12x10 cyclic", "18x6 cyclic", "90 on 14"}) {
        const Placement placement = placement_of_layout(layout);
        const Contention contention(placement);
        RecipeTimes times(machine, contention);
        Replay replay(machine, placement);
        for (const char* text : {"two_tree(seg=16K)", "chain(seg=8K)", "binary(seg=16K)"}) {
            const Recipe recipe = Recipe::parse(text);
            const Seconds whole = replay(recipe, Collective::bcast, 1 << 20, {}).value();
            const Seconds quick = times(recipe, Collective::bcast, 1 << 20, {}).value();
            EXPECT_GT(quick, 0.8 * whole) << text << " on " << layout;
            EXPECT_LT(quick, 1.5 * whole) << text << " on " << layout;
        }
    }
}

// The few nodes that stood for all lay on one site: a ring over two sites was priced far too low.
TEST(RowReplay, of_a_few_nodes_sees_all_sites) {
    Machine machine = cluster();
    machine.beyond = {{.network = Hockney{1e-2, 1e-8}, .of_node = {0, 0, 0, 0, 0, 1, 1, 1, 1}}};
    const Placement placement = placement_of_layout("9x8 cyclic");
    const Contention contention(placement);
    RecipeTimes times(machine, contention);
    Replay replay(machine, placement);
    const Recipe ring = Recipe::parse("ring");
    EXPECT_GT(times(ring, Collective::allreduce, 8, {}).value(),
              0.3 * replay(ring, Collective::allreduce, 8, {}).value());
}

// Beyond 16 ranks the segments of a ring's blocks were computed from the whole vector and were far too short.
TEST(RecipeTimes, cuts_a_rings_blocks_by_their_own_length) {
    const Placement placement = placement_of_layout("20x1");
    const Machine machine = cluster();
    const Contention contention(placement);
    RecipeTimes times(machine, contention);
    const Algorithm& ring = *find_algorithm(Collective::allreduce, "segmented_ring");
    const Bytes segment = times.best_segment(ring, 1 << 20, contention);
    EXPECT_TRUE(segment == 0 || segment >= 4096) << segment;
}

// All children of a rank shared its card: none could go on before the last one had the vector.
TEST(Replay, of_a_binomial_bcast_in_one_piece_takes_a_message_for_each_round) {
    Machine machine = cluster();
    machine.between = Protocol{.one_way = {{{0, {2e-5, 8e-10}}}},
                               .send_overhead = Table::constant(1e-7),
                               .receive_overhead = Table::constant(1e-7)};
    const Bytes bytes = 1 << 20;
    const Seconds took = Predictor(machine, placement_of_layout("8x1"))
                             .whole(Recipe::parse("binomial"), Collective::bcast, bytes, {})
                             .value()
                             .seconds;
    EXPECT_NEAR(took, 3 * (2e-5 + 8e-10 * double(bytes)), 0.02 * took);
}

// The sum of phases priced pipelines of very many segments far below a replay of all segments.
TEST(Predictor, replays_a_few_of_very_many_segments) {
    for (const char* const layout : {"64x4", "37x7", "256x1"}) {
        const Placement placement = placement_of_layout(layout);
        Predictor model(cluster(), placement);
        Replay all(cluster(), placement);
        for (const char* const text :
             {"dual_root(seg=8K)", "binary(seg=8K)+binary(seg=8K)", "chain(seg=8K)+chain(seg=8K)"}) {
            constexpr Bytes bytes = 1 << 20;
            const Recipe recipe = Recipe::parse(text);
            const std::size_t before = model.messages();
            const auto few = model.whole(recipe, a, bytes, {});
            EXPECT_LT(model.messages() - before, most_replayed_messages(placement.size()))
                << text << " on " << layout;
            const auto whole = all(recipe, a, bytes, {});
            ASSERT_TRUE(few && whole);
            EXPECT_EQ(few->word, Word::whole);
            EXPECT_NEAR(few->seconds / *whole, 1, 0.1) << text << " on " << layout;
        }
    }
}

// A part with nodes of nine, four and five ranks: the price of lanes divided the vector among nine.
TEST(RecipeTimes, of_lanes_have_as_many_blocks_as_the_smallest_group_has_ranks) {
    const Placement placement = placements("a a a a a a a a a b b b b c c c c c");
    const Machine machine = seated(built_in_machine(), placement);
    Predictor predictor(machine, placement);
    Replay replay(machine, placement);
    for (const auto& [collective, text] :
         {std::pair{Collective::allreduce, "lanes(node, linear, recursive_doubling)"},
          {Collective::reduce, "lanes(node, linear+linear, binomial)"},
          {Collective::bcast, "lanes(node, linear+linear, binomial)"}}) {
        const Recipe recipe = Recipe::parse(text);
        constexpr Bytes bytes = 1 << 20;
        const Seconds whole = replay(recipe, collective, bytes, {}).value(),
                      sum = predictor.sum(recipe, collective, bytes, {}).value().seconds;
        EXPECT_NEAR(sum / whole, 1, 0.2) << name(collective);
    }
}

// Unmeasured recipes got the least time that a row of calls can take, up to six times too little, and were
// chosen for it beside recipes with measured rows.
TEST(Predictor, replays_calls_in_a_row) {
    const Placement placement = placement_of_layout("8x4");
    const Machine machine = seated(built_in_machine(), placement);
    Predictor predictor(machine, placement);
    Replay replay(machine, placement);
    std::array<int, CallRow::calls> roots{};
    for (int call = 0; call < CallRow::calls; ++call)
        roots[std::size_t(call)] = CallRow::root(call, placement.size());
    for (const auto& [collective, text] : {std::pair{Collective::reduce, "binary(seg=0)"},
                                           {Collective::reduce, "leaders(node, postal, postal)"},
                                           {Collective::bcast, "binomial"},
                                           {Collective::bcast, "lanes(node, linear, chain)"},
                                           {Collective::scatter, "binomial"}})
        for (const Bytes bytes : {Bytes(1) << 10, Bytes(64) << 10}) {
            const Recipe recipe = Recipe::parse(text);
            const Seconds row = replay.row(recipe, collective, bytes, {}, roots, ~std::size_t(0)).value() /
                                CallRow::calls,
                          predicted = predictor.in_a_row(recipe, collective, bytes, {}).value();
            EXPECT_NEAR(predicted / row, 1, 0.2) << text << ' ' << bytes;
        }
}

// Native times grew with log p, inside a node like between nodes: a choice lost to it.
TEST(NativeTimes, are_those_of_ranks_that_are_alike) {
    Profile profile;
    const auto add = [&](const char* layout, int p, Bytes bytes, Seconds seconds) {
        profile.samples.push_back({a, p, layout, bytes, Recipe(), seconds, 0});
    };
    add("8x4", 32, 1024, 400e-6);
    add("8x1", 8, 1024, 100e-6);
    add("1x4", 4, 1024, 2e-6);
    add("8x1", 8, 4096, 200e-6);
    const NativeTimes natives(profile);
    EXPECT_FALSE(natives(r, 8, {8}, 1024));
    EXPECT_DOUBLE_EQ(natives(a, 32, {8}, 1024)->seconds, 400e-6);
    EXPECT_EQ(natives(a, 32, {8}, 1024)->error, 0);
    EXPECT_NEAR(natives(a, 16, {4}, 1024)->seconds, 200e-6, 1e-12) << "in the middle of both, by factors";
    EXPECT_GT(natives(a, 16, {4}, 1024)->error, 0.05);
    EXPECT_NEAR(natives(a, 2, {1}, 1024)->seconds, 2e-6 * std::log2(3) / std::log2(5), 1e-12) << "in a node";
    EXPECT_GT(natives(a, 2, {2}, 1024)->seconds, 30e-6) << "on two nodes";
    EXPECT_NEAR(natives(a, 8, {8}, 2048)->seconds, 400e-6 / 3, 1e-12) << "on a line, as a + b m";
    EXPECT_NEAR(natives(a, 8, {8}, 16384)->seconds, 4 * 200e-6, 1e-12) << "beyond the sizes";
}

// Native times of one node served as prices across several nodes.
TEST(NativeTimes, of_one_node_say_nothing_of_several) {
    Profile profile;
    profile.samples.push_back({a, 8, "1x8", 1024, Recipe(), 5e-6, 0});
    profile.samples.push_back({r, 8, "8x1", 1024, Recipe(), 50e-6, 0});
    const NativeTimes natives(profile);
    EXPECT_FALSE(natives(a, 8, {2}, 1024));
    EXPECT_FALSE(natives(a, 16, {2}, 1024));
    EXPECT_TRUE(natives(a, 16, {1}, 1024));
    EXPECT_FALSE(natives(r, 8, {1}, 1024));
    EXPECT_TRUE(natives(r, 8, {2}, 1024));
}

// Native times of 8 bytes grew with the bytes, far beyond the growth of a message.
TEST(NativeTimes, beyond_the_sizes_grow_as_a_message_does) {
    Profile profile;
    profile.samples.push_back({a, 32, "8x4", 8, Recipe(), 17e-3, 0});
    profile.samples.push_back({a, 4, "1x4", 8, Recipe(), 2e-6, 0});
    Machine machine;
    machine.between = Hockney{5e-3, 400e-9};
    machine.inside = Hockney{1e-6, 1e-9};
    profile.parameters = Parameters{.machine = machine};
    const NativeTimes natives(profile);
    EXPECT_NEAR(natives(a, 32, {8}, 4096)->seconds, 17e-3 * (5e-3 + 4096 * 400e-9) / (5e-3 + 8 * 400e-9),
                1e-9);
    EXPECT_NEAR(natives(a, 4, {1}, 4096)->seconds, 2e-6 * (1e-6 + 4096e-9) / (1e-6 + 8e-9), 1e-12);
}

TEST(NativeTimes, of_several_sites_say_nothing_of_one) {
    Profile profile;
    profile.samples.push_back({a, 16, "16x1 on 2 sites", 1024, Recipe(), 5e-3, 0});
    profile.samples.push_back({a, 8, "8x1", 1024, Recipe(), 20e-6, 0});
    const NativeTimes natives(profile);
    EXPECT_LT(natives(a, 12, {12}, 1024)->seconds, 1e-4);
    EXPECT_GT(natives(a, 12, {12, 2}, 1024)->seconds, 1e-3);
}

// Native parts of four lanes, which share their nodes' cards, were priced as if each were alone. Between
// sites, no collective of two ranks takes less than a message.
TEST(NativeTimes, of_parts_know_what_is_beside_them_and_how_far_ranks_are) {
    Profile profile;
    for (const Bytes bytes : {Bytes(1024), Bytes(4096)})
        profile.samples.push_back({a, 4, "4x1", bytes, Recipe(), 20e-9 * double(bytes), 0});
    profile.samples.push_back({a, 4, "4x1 on 2 sites", 8, Recipe(), 1e-9, 0});
    const NativeTimes natives(profile);
    const auto part = [&](const Machine& machine, const char* layout, const Groups& groups, Bytes bytes) {
        const Placement placement = placement_of_layout(layout);
        const Machine located = seated(machine, placement);
        const Contention contention(placement);
        RecipeTimes times(located, contention, &natives);
        return times.on(contention.divide(groups)->across, Recipe(), a, bytes, {}).value();
    };
    EXPECT_NEAR(part(cluster(), "4x4", Groups::node(), 1024), 20e-9 * 4096, 1e-9);
    EXPECT_GE(part(far_apart(), "2x1 on 2 sites", Groups::site(), 8),
              message_time(far_apart().beyond.front().network, 0));
}

/// A node whose ranks share memory at a known price.
Machine shared_memory_machine() {
    Machine machine = uniform_machine(Hockney{1e-6, 1e-9}, 1e-10);
    machine.window = SharedMemory{1e-7, 1e-10};
    return machine;
}

TEST(Window, has_a_price_inside_a_node) {
    const Recipe shm = Recipe::parse("shm");
    const Placement node = placement_of_layout("1x3");
    Predictor predictor(shared_memory_machine(), node);
    for (const Word word : {Word::whole, Word::sum}) {
        const auto price =
            word == Word::whole ? predictor.whole(shm, a, 1000, {}) : predictor.sum(shm, a, 1000, {});
        ASSERT_TRUE(price);
        EXPECT_EQ(price->word, word);
        EXPECT_NEAR(price->seconds, 1e-7 + (1 + 2) * 1000 * 1e-10, 1e-12);
    }
    // A vector of several slots takes less than its slots one after the other, since ranks fill slots ahead.
    const Seconds one = predictor.whole(shm, r, 32 << 10, {})->seconds,
                  many = predictor.whole(shm, r, 1 << 20, {})->seconds;
    EXPECT_LT(many, 32 * one);
    EXPECT_GT(many, 16 * one);
}

TEST(Window, has_none_between_nodes_or_where_nothing_is_known_of_the_memory) {
    const Recipe shm = Recipe::parse("shm"), leaders = Recipe::parse("leaders(node, shm, ring)");
    Predictor two_nodes(shared_memory_machine(), placement_of_layout("2x4"));
    EXPECT_FALSE(two_nodes.sum(shm, a, 1000, {}));
    EXPECT_TRUE(two_nodes.sum(leaders, a, 1000, {}));
    Machine unknown = shared_memory_machine();
    unknown.window.reset();
    Predictor no_window(unknown, placement_of_layout("1x4"));
    EXPECT_FALSE(no_window.sum(shm, a, 1000, {}));
    // Inside nodes shared memory is faster than messages.
    Predictor messages(unknown, placement_of_layout("2x4"));
    EXPECT_LT(two_nodes.whole(leaders, a, 1000, {})->seconds,
              messages.whole(Recipe::parse("leaders(node, binomial, ring)"), a, 1000, {})->seconds);
}

}  // namespace
}  // namespace echelon
