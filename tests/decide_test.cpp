// SPDX-License-Identifier: Apache-2.0
// Predictions and decisions on machines whose truth is known: the simulator's replay of what is recorded.
#include "estimators/choice/decide.hpp"
#include "core/error.hpp"
#include "estimators/choice/candidates.hpp"
#include "estimators/fit/fit_machine.hpp"
#include "estimators/simulator/simulator.hpp"
#include "hier/recorded_team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

namespace echelon {
namespace {

/// A cluster whose nodes share a card that carries one rank's rate.
Machine cluster() {
    return {
        .inside = Hockney{5e-7, 2.5e-10}, .between = Hockney{2e-5, 8e-10}, .card = 1.25e9, .gamma = 3e-10};
}

Seconds truth(const Recipe& recipe, Collective collective, Bytes bytes, const Placement& placement) {
    Machine machine = cluster();
    machine.nodes.assign(placement.nodes().begin(), placement.nodes().end());
    const Call call{.collective = collective, .count = bytes / 8, .element_size = 8};
    return simulate(record(recipe, call, placement), machine).makespan();
}

std::shared_ptr<Profile> profile_of(const Machine& machine) {
    auto profile = std::make_shared<Profile>();
    profile->parameters = Parameters{.machine = machine};
    return profile;
}

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

TEST(Layout, names_a_placement_and_gives_it_back) {
    for (const char* layout :
         {"16x4", "16x4 cyclic", "1x8", "8x1", "16x4 cyclic on 2 sites", "62 on 16 on 3 sites"})
        EXPECT_EQ(layout_of(placement_of_layout(layout)), layout);
    EXPECT_EQ(layout_of(placements("a a b")), "3 on 2");
    EXPECT_EQ(placement_of_layout("62 on 16").node_count(), 16);
    EXPECT_THROW((void)placement_of_layout("16 by 4"), Error);
    EXPECT_EQ(placement_of_layout("8x2 on 2 sites").site(7), 0);
    EXPECT_EQ(placement_of_layout("8x2 on 2 sites").site(8), 1);
    for (const char* wrong : {"4 on 16", "4x1 on 5 sites", "4x1 on 1 sites", "4x1 on 2 site", "on 2 sites"})
        EXPECT_THROW((void)placement_of_layout(wrong), Error) << wrong;
}

// Each of 512 ranks made a recipe with shapes inside one another concrete, looking at all groups: 100 ms.
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

// The few nodes that stood for all sat on one site: a ring over two cost a seventieth.
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

// Beyond 16 ranks the segments of a ring's blocks were taken for the vector's, and came out at 64 bytes.
TEST(RecipeTimes, cuts_a_rings_blocks_by_their_own_length) {
    const Placement placement = placement_of_layout("20x1");
    const Machine machine = cluster();
    const Contention contention(placement);
    RecipeTimes times(machine, contention);
    const Algorithm& ring = *find_algorithm(Collective::allreduce, "segmented_ring");
    const Bytes segment = times.best_segment(ring, 1 << 20, contention);
    EXPECT_TRUE(segment == 0 || segment >= 4096) << segment;
}

struct Cell {
    const char* layout;
    Collective collective;
    Bytes bytes;
};

class OnACluster : public testing::TestWithParam<Cell> {};

TEST_P(OnACluster, the_decision_is_the_best_of_all_recipes) {
    const auto [layout, collective, bytes] = GetParam();
    const Placement placement = placement_of_layout(layout);
    Decider decider(profile_of(cluster()), placement);
    // Everything that is not hopeless, measured on the machine.
    Seconds best = 0;
    std::string best_name;
    const auto all = decider.all(collective, bytes, {});
    ASSERT_GT(all.size(), 10u);
    for (const Candidate& one : all) {
        if (one.expected > 2 * all.front().expected) break;
        const Seconds time = truth(one.recipe, collective, bytes, placement);
        if (best == 0 || time < best) best = time, best_name = to_string(one.recipe);
    }
    // The price adds up phases that overlap where ranks leave one early, most in pipelined lanes.
    const Seconds by_model = truth(all.front().recipe, collective, bytes, placement);
    EXPECT_LE(by_model, 1.4 * best) << to_string(all.front().recipe) << " against " << best_name;

    // With the model's favourites measured, the best of all is found.
    auto measured = profile_of(cluster());
    const std::string layout_name = layout_of(placement);
    for (const Candidate& one : decider.shortlist(collective, bytes, {}, 16))
        measured->samples.push_back({collective, placement.size(), layout_name, bytes, one.recipe,
                                     truth(one.recipe, collective, bytes, placement), 0});
    measured->samples.push_back({collective, placement.size(), layout_name, bytes, Recipe(), 1, 0});
    Decider second(measured, placement);
    const Decision decision = second.decide(collective, bytes, {});
    const Seconds chosen = truth(decision.recipe, collective, bytes, placement);
    EXPECT_LE(chosen, 1.05 * best) << to_string(decision.recipe) << " against " << best_name;
}

constexpr Collective a = Collective::allreduce, r = Collective::reduce, b = Collective::bcast;
INSTANTIATE_TEST_SUITE_P(
    Cells, OnACluster,
    testing::Values(Cell{"16x1", a, 1024}, Cell{"16x1", a, 65536}, Cell{"16x1", a, 1 << 20},
                    Cell{"4x4", a, 1024}, Cell{"4x4", a, 65536}, Cell{"4x4", a, 1 << 20},
                    Cell{"4x4 cyclic", a, 65536}, Cell{"16x1", r, 1024}, Cell{"16x1", r, 65536},
                    Cell{"4x4", r, 1024}, Cell{"4x4", r, 65536}, Cell{"16x1", b, 1024},
                    Cell{"16x1", b, 65536}, Cell{"4x4", b, 1024}, Cell{"4x4", b, 65536},
                    Cell{"4x4", Collective::alltoall, 1024}, Cell{"4x4", Collective::alltoall, 65536},
                    Cell{"4x4", Collective::scan, 1024}, Cell{"4x4", Collective::scan, 65536}));

// A formula that adds phases up chose the segments: half of them would have been faster.
TEST(Decision, takes_the_segment_that_a_replay_prefers) {
    int cut = 0;
    for (const char* layout : {"4x4", "4x4 cyclic", "24 on 5"}) {
        const Placement placement = placement_of_layout(layout);
        Decider decider(profile_of(cluster()), placement);
        const Recipe chosen = decider.decide(a, 1 << 20, {}).ranked.front().recipe;
        ASSERT_TRUE(chosen.is_shape()) << to_string(chosen);
        const Seconds time = truth(chosen, a, 1 << 20, placement);
        const Bytes segment = chosen.segment.value_or(1 << 20);
        cut += chosen.segment ? 1 : 0;
        for (const Bytes other : {segment / 2, 2 * segment}) {
            Recipe changed = chosen;
            changed.segment = other;
            EXPECT_LE(time, truth(changed, a, 1 << 20, placement)) << to_string(changed) << " on " << layout;
        }
    }
    EXPECT_GT(cut, 0);
}

// Where a sum of phases preferred lanes within lanes, plain ones were no candidates any more.
TEST(Decision, knows_plain_lanes_beside_lanes_within_lanes) {
    const Placement placement = placement_of_layout("16x4");
    const Machine machine = cluster();
    const Contention contention(placement);
    RecipeTimes times(machine, contention);
    int nested = 0, plain = 0;
    for (const Priced& one : candidates(times, a, 65536, {}, placement, Width::best))
        if (one.recipe.kind == Recipe::Kind::lanes && one.recipe.groups == Groups::node())
            ++(one.recipe.outer().is_shape() ? nested : plain);
    EXPECT_GT(nested, 0);
    EXPECT_GT(plain, 0);
}

TEST(Decision, follows_measured_times_where_they_contradict_the_model) {
    auto profile = profile_of(cluster());
    const auto sample = [&](const char* recipe, Seconds seconds) {
        profile->samples.push_back({a, 16, "4x4", 65536, Recipe::parse(recipe), seconds, 0.01});
    };
    sample("native", 3e-4);
    sample("ring", 1e-4);
    sample("lanes(node, ring, ring)", 2e-4);
    Decider decider(profile, placement_of_layout("4x4"));
    const Decision decision = decider.decide(a, 65536, {});
    EXPECT_EQ(to_string(decision.recipe), "ring");
    EXPECT_EQ(decision.basis, Basis::measured);
    EXPECT_DOUBLE_EQ(decision.expected, 1e-4);
    EXPECT_DOUBLE_EQ(decision.native, 3e-4);
    for (const Candidate& one : decision.ranked)
        EXPECT_EQ(one.reason.empty(), to_string(one.recipe) == "ring") << to_string(one.recipe);
}

TEST(Decision, a_series_is_as_fast_as_its_best_segment) {
    // The last of several segments measured at one size stood for all of them: what was measured to be slow
    // was taken for fast.
    auto profile = profile_of(cluster());
    const auto sample = [&](const char* recipe, Bytes bytes, Seconds seconds) {
        profile->samples.push_back({a, 16, "4x4", bytes, Recipe::parse(recipe), seconds, 0});
    };
    for (const Bytes bytes : {Bytes(65536), Bytes(262144)}) {
        const double scale = double(bytes) / 65536;
        sample("native", bytes, 9e-4 * scale);
        sample("ring", bytes, 1.5e-4 * scale);
        sample("dual_root(seg=8K)", bytes, 1e-4 * scale);
        sample("dual_root(seg=4K)", bytes, 2e-4 * scale);
        sample("dual_root(seg=16K)", bytes, 3e-4 * scale);
    }
    Decider decider(profile, placement_of_layout("4x4"));
    const Decision here = decider.decide(a, 65536, {});
    EXPECT_EQ(to_string(here.recipe), "dual_root(seg=8K)");
    EXPECT_DOUBLE_EQ(here.expected, 1e-4);
    for (const Candidate& one : here.ranked)
        if (to_string(one.recipe) == "dual_root(seg=16K)") {
            EXPECT_DOUBLE_EQ(one.expected, 3e-4) << "each has its own time";
            EXPECT_EQ(one.basis, Basis::measured);
        }
    const Decision between = decider.decide(a, 131072, {});
    EXPECT_EQ(to_string(between.recipe), "dual_root(seg=8K)") << "not the model's segment";
}

TEST(Decision, is_never_what_is_expected_to_be_slower_than_native) {
    auto profile = profile_of(cluster());
    profile->samples.push_back({a, 16, "4x4", 65536, Recipe(), 1e-9, 0});
    Decider decider(profile, placement_of_layout("4x4"));
    EXPECT_EQ(to_string(decider.decide(a, 65536, {}).recipe), "native");
    // Nothing is promised where native was not measured.
    EXPECT_EQ(to_string(decider.decide(r, 65536, {}).recipe), "native");
}

// Inside a node as between nodes, native was taken to grow with log p from all ranks; a choice lost to it.
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

TEST(Decision, prices_native_parts_where_native_was_measured_on_parts) {
    const Placement placement = placement_of_layout("8x4");
    auto profile = profile_of(cluster());
    const auto add = [&](const char* layout, int p, Seconds seconds) {
        profile->samples.push_back({r, p, layout, 1024, Recipe(), seconds, 0});
    };
    add("8x4", 32, 1);
    const auto is_offered = [&] {
        const auto ranked = Decider(profile, placement).decide(r, 1024, {}).ranked;
        return std::any_of(ranked.begin(), ranked.end(), [](const Candidate& one) {
            return to_string(one.recipe) == "leaders(node, native, native)";
        });
    };
    EXPECT_FALSE(is_offered());
    add("1x4", 4, 1e-9);
    add("8x1", 8, 1e-9);
    EXPECT_TRUE(is_offered());
    const auto challenger = Decider(profile, placement).decide(r, 1024, {}).challenger;
    EXPECT_EQ(to_string(challenger.value()), "leaders(node, native, native)") << "a trial has to show it";
}

Machine far_apart() {
    Machine machine = cluster();
    machine.beyond = {{.network = Hockney{1e-2, 1e-8}}};
    return machine;
}

TEST(Contention, of_sets_on_several_sites_is_the_worst_of_these) {
    const Contention all(placement_of_layout("9x1 on 2 sites"));  // 5 nodes and 4
    const Contention::Division& pairs = *all.divide(Groups::size(2));
    EXPECT_EQ(pairs.inside.sites(), 2) << "4 and 5 are far from each other";
    EXPECT_EQ(pairs.inside.nodes_of_one(), (std::vector<int>{4, 5}));
    EXPECT_EQ(all.divide(Groups::site())->inside.sites(), 1);
    EXPECT_EQ(all.divide(Groups::site())->leaders.p(), 2);
}

TEST(Decision, crosses_between_sites_as_rarely_as_can_be) {
    for (const char* layout : {"12x1 on 2 sites", "6x4 on 3 sites", "12x2 cyclic on 2 sites"}) {
        const Placement placement = placement_of_layout(layout);
        const Recipe chosen =
            Decider(profile_of(far_apart()), placement).decide(a, 8, {}).ranked.front().recipe;
        const Seconds once = message_time(far_apart().beyond.front().network, 8);
        EXPECT_LT(Replay(far_apart(), placement)(chosen, a, 8, {}).value(),
                  (placement.site_count() - 0.9) * once)
            << to_string(chosen) << " on " << layout;
    }
    // Inside of one site nothing is far away.
    const Placement one = placement_of_layout("12x1 on 2 sites").of(std::vector<int>{0, 1, 2, 3, 4, 5});
    EXPECT_EQ(Decider(profile_of(far_apart()), one).decide(a, 8, {}).ranked.front().expected,
              Decider(profile_of(cluster()), one).decide(a, 8, {}).ranked.front().expected);
}

TEST(NativeTimes, of_several_sites_say_nothing_of_one) {
    Profile profile;
    profile.samples.push_back({a, 16, "16x1 on 2 sites", 1024, Recipe(), 5e-3, 0});
    profile.samples.push_back({a, 8, "8x1", 1024, Recipe(), 20e-6, 0});
    const NativeTimes natives(profile);
    EXPECT_LT(natives(a, 12, {12}, 1024)->seconds, 1e-4);
    EXPECT_GT(natives(a, 12, {12, 2}, 1024)->seconds, 1e-3);
}

// Four lanes with native parts share their nodes' cards; they were priced as if each were alone. And between sites no
// collective of two ranks takes less than a message.
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

// What families take of the model's word on all ranks, four a node, misled on one rank a node.
TEST(Decision, corrects_by_what_has_as_many_ranks_a_node) {
    const Placement whole = placement_of_layout("8x4"), half = placement_of_layout("4x4"),
                    spread = placement_of_layout("8x1");
    auto profile = profile_of(cluster());
    const Recipe ring = Recipe::parse("ring");
    const auto model = [&](const Placement& placement) {
        return Decider(profile_of(cluster()), placement).predicted(ring, a, 1 << 20, {}).value();
    };
    profile->samples.push_back({a, 32, "8x4", 1 << 20, ring, 3 * model(whole), 0});
    learn_corrections(*profile);
    ASSERT_EQ(profile->corrections.size(), 1u);
    EXPECT_EQ(profile->corrections.front().nodes, 8);
    const auto factor = [&](const Placement& placement) {
        return Decider(profile, placement).expected(ring, a, 1 << 20, {}) / model(placement);
    };
    EXPECT_NEAR(factor(half), 3, 0.3);
    EXPECT_DOUBLE_EQ(factor(spread), 1);
}

TEST(Decision, a_lead_within_the_error_is_no_lead) {
    auto profile = profile_of(cluster());
    profile->parameters->residual = 0.5;
    Decider model(profile, placement_of_layout("4x4"));
    const auto all = model.all(a, 65536, {});
    profile->samples.push_back({a, 16, "4x4", 65536, Recipe(), all.front().expected * 1.2, 0});
    Decider decider(profile, placement_of_layout("4x4"));
    const Decision decision = decider.decide(a, 65536, {});
    EXPECT_EQ(to_string(decision.recipe), "native");
    EXPECT_THAT(decision.ranked.at(1).reason, testing::HasSubstr("within its error of 50 %"));
}

// Between calibrated sizes a recipe of which only a model knew displaced measured ones, and was 50 times slower.
TEST(Decision, what_was_never_measured_displaces_nothing_without_a_trial) {
    const Placement placement = placement_of_layout("4x4");
    auto profile = profile_of(cluster());
    Decider model(profile, placement);
    // All that is measured takes longer than the model says.
    for (const Bytes bytes : {Bytes(2048), Bytes(4096)}) {
        for (const char* text : {"ring", "leaders(node, binomial, ring)"}) {
            const Recipe recipe = Recipe::parse(text);
            profile->samples.push_back(
                {a, 16, "4x4", bytes, recipe, 5 * model.predicted(recipe, a, bytes, {}).value(), 0.01});
        }
        profile->samples.push_back({a, 16, "4x4", bytes, Recipe(), 1, 0.01});
    }
    for (const Bytes bytes : {Bytes(2048), Bytes(3000), Bytes(4096)}) {
        Decider decider(profile, placement);
        const Decision decision = decider.decide(a, bytes, {});
        EXPECT_EQ(decision.basis, bytes == 3000 ? Basis::interpolated : Basis::measured);
        ASSERT_TRUE(decision.challenger) << bytes;
        int on_trial = 0;
        for (const Candidate& one : decision.ranked) {
            EXPECT_EQ(one.is_known, one.basis != Basis::model) << to_string(one.recipe);
            if (one.reason.find("a trial has to show") == std::string::npos) continue;
            EXPECT_FALSE(one.is_known) << to_string(one.recipe);
            ++on_trial;
        }
        EXPECT_GT(on_trial, 0);
        EXPECT_EQ(decider.chosen(a, bytes, {}, Policy::model).rivals.front(), *decision.challenger);
    }
    // Native alone is measured too.
    std::erase_if(profile->samples,
                  [](const Sample& one) { return one.recipe.kind != Recipe::Kind::native; });
    const Decision decision = Decider(profile, placement).decide(a, 3000, {});
    EXPECT_EQ(to_string(decision.recipe), "native");
    EXPECT_TRUE(decision.challenger);
}

TEST(Decision, serves_operations_that_need_rank_order) {
    auto profile = profile_of(cluster());
    profile->samples.push_back({a, 16, "4x4 cyclic", 65536, Recipe(), 1, 0});
    const Placement placement = placement_of_layout("4x4 cyclic");
    Decider decider(profile, placement);
    const Operation ordered{.in_order = true, .exact = false};
    const Decision decision = decider.decide(a, 65536, ordered);
    ASSERT_TRUE(decision.challenger);
    EXPECT_NE(to_string(*decision.challenger), "native");
    for (const Candidate& one : decision.ranked)
        EXPECT_NO_THROW((void)resolve(one.recipe, a, placement, 3, ordered)) << to_string(one.recipe);
}

TEST(Decision, every_candidate_can_be_resolved) {
    for (const char* layout : {"8x1", "13 on 4", "3x3 cyclic"}) {
        const Placement placement = placement_of_layout(layout);
        Decider decider(profile_of(cluster()), placement);
        for (const Collective collective : {a, r, b, Collective::barrier})
            for (const Bytes bytes : {Bytes(0), Bytes(8), Bytes(1 << 20)})
                for (const Candidate& one :
                     decider.all(collective, bytes, {.in_order = false, .exact = false}))
                    EXPECT_NO_THROW((void)resolve(one.recipe, collective, placement, 0,
                                                  {.in_order = false, .exact = false}))
                        << layout << ' ' << name(collective) << ' ' << to_string(one.recipe);
    }
}

TEST(Policies, are_known_by_name) {
    auto profile = profile_of(cluster());
    Decider decider(profile, placement_of_layout("64x1"));
    EXPECT_EQ(policy_named("rabenseifner2004"), Policy::rabenseifner2004);
    EXPECT_EQ(policy_named("best"), std::nullopt);
    const auto chosen = [&](Policy policy, Bytes bytes) {
        return to_string(decider.decide(a, bytes, {}, policy).recipe);
    };
    EXPECT_EQ(chosen(Policy::native, 64), "native");
    EXPECT_EQ(chosen(Policy::rabenseifner2004, 32), "recursive_doubling");
    EXPECT_EQ(chosen(Policy::rabenseifner2004, 1 << 20), "rabenseifner");
    EXPECT_THAT(chosen(Policy::sqrt, 64), testing::HasSubstr("(G=8,"));
}

}  // namespace
}  // namespace echelon
