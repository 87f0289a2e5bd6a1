// SPDX-License-Identifier: Apache-2.0
// Predictions and decisions on machines whose true times are known: the simulator replays the recorded
// schedules.
#include "estimators/choice/decide.hpp"
#include "core/error.hpp"
#include "estimators/choice/candidates.hpp"
#include "estimators/choice/outside_model.hpp"
#include "estimators/price/replay.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "estimators/simulator/simulator.hpp"
#include "groups/layout.hpp"
#include "hier/meaning.hpp"
#include "hier/recorded_team.hpp"
#include "support/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

namespace echelon {
namespace {

Seconds truth(const Recipe& recipe, Collective collective, Bytes bytes, const Placement& placement) {
    Machine machine = cluster();
    machine.nodes.assign(placement.nodes().begin(), placement.nodes().end());
    const Call call{.collective = collective, .count = bytes / 8, .element_size = 8};
    return simulate(record(recipe, call, placement), machine).makespan();
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
    // Every promising candidate, measured on the machine.
    Seconds best = 0;
    std::string best_name;
    const auto all = decider.all(collective, bytes, {});
    ASSERT_GT(all.size(), 10u);
    for (const Candidate& one : all) {
        if (one.expected > 2 * all.front().expected) break;
        const Seconds time = truth(one.recipe, collective, bytes, placement);
        if (best == 0 || time < best) best = time, best_name = to_string(one.recipe);
    }
    // The price adds up phases that overlap if ranks leave one early, most of all in pipelined lanes.
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
                    Cell{"4x4", a, 1024}, Cell{"4x4", a, 65536}, Cell{"4x4", a, 1 << 18},
                    Cell{"4x4 cyclic", a, 65536}, Cell{"16x1", r, 1024}, Cell{"16x1", r, 65536},
                    Cell{"4x4", r, 1024}, Cell{"4x4", r, 65536}, Cell{"16x1", b, 1024},
                    Cell{"16x1", b, 65536}, Cell{"4x4", b, 1024}, Cell{"4x4", b, 65536},
                    Cell{"4x4", Collective::alltoall, 1024}, Cell{"4x4", Collective::alltoall, 65536},
                    Cell{"4x4", Collective::scan, 1024}, Cell{"4x4", Collective::scan, 65536}));

// A formula that adds up phases chose the segments: half the length would have been faster.
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

// Plain lanes were no candidates if a sum of phases preferred lanes within lanes.
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

TEST(Decision, operations_that_round_get_what_they_would_get_had_nobody_asked_for_exact_ones) {
    bool met = false;  // some recipe serves exact operations only
    for (const char* layout : {"6x1", "11x1", "13x1", "5x3", "3x7"})
        for (const Collective collective : {a, r})
            for (const Bytes bytes : {Bytes(8), Bytes(4) << 10}) {
                Decider both(built_in_profile(false), placement_of_layout(layout), Width::few);
                Decider one(built_in_profile(false), placement_of_layout(layout), Width::few);
                const Operation rounding{.in_order = false, .exact = false};
                const auto exact = both.chosen(collective, bytes, {}, Policy::model);
                const auto chosen = both.chosen(collective, bytes, rounding, Policy::model);
                const auto alone = one.chosen(collective, bytes, rounding, Policy::model);
                EXPECT_EQ(chosen.recipe, alone.recipe) << layout;
                EXPECT_EQ(chosen.rivals, alone.rivals) << layout;
                met = met || exact.rivals != chosen.rivals;
            }
    EXPECT_TRUE(met);
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

// Segments were proposed for shapes through shared memory, which refuse them.
TEST(Decision, every_candidate_on_a_node_with_shared_memory_can_be_resolved) {
    std::mt19937 random(57);
    const auto between = [&](double least, double most) {
        return least * std::pow(most / least, double(random()) / double(std::mt19937::max()));
    };
    int through_memory = 0;
    for (int machine = 0; machine < 30; ++machine) {
        Machine drawn = cluster();
        drawn.inside = drawn.between = Hockney{between(1e-7, 1e-3), between(1e-11, 1e-8)};
        drawn.gamma = between(1e-11, 1e-9);
        drawn.window = SharedMemory{between(1e-8, 1e-3), between(1e-11, 1e-8)};
        const char* const layout = std::array{"1x4", "1x6", "2x4"}[random() % 3];
        const Placement placement = placement_of_layout(layout);
        Decider decider(profile_of(drawn), placement);
        for (const Collective collective : {a, r, b})
            for (const Bytes bytes : {Bytes(64 << 10), Bytes(1 << 20), Bytes(4 << 20)})
                for (const Candidate& one :
                     decider.decide(collective, bytes, {.in_order = false, .exact = true}).ranked) {
                    EXPECT_NO_THROW((void)resolve(one.recipe, collective, placement, 0,
                                                  {.in_order = false, .exact = true}))
                        << layout << ' ' << name(collective) << ' ' << to_string(one.recipe);
                    through_memory += goes_through_memory(one.recipe) ? 1 : 0;
                }
    }
    EXPECT_GT(through_memory, 100);
}

// The built-in machine assumed a fixed ratio of latency to transfer time, which is wrong on slow and on fast
// networks.
TEST(Decision, goes_by_what_a_message_was_seen_to_take_where_nothing_was_measured) {
    const std::array<Hockney, 2> links{Hockney{20e-6, 1 / 1e8}, Hockney{15e-6, 1 / 12.5e9}};
    for (const Hockney& seen : links) {
        double told = 0, untold = 0;
        int cells = 0;
        for (const char* layout : {"9x4", "16x1", "5x3 cyclic"})
            for (const Collective collective : {a, r, b})
                for (const Bytes bytes : {Bytes(4) << 10, Bytes(64) << 10}) {
                    const Placement placement = placement_of_layout(layout);
                    Replay truth(built_in_machine(false, seen), placement);
                    const auto first = [&](const Hockney& between) {
                        Decider decider(built_in_profile(false, between), placement, Width::few);
                        const auto& rivals = decider.chosen(collective, bytes, {}, Policy::model).rivals;
                        return truth(rivals.front(), collective, bytes, {}).value();
                    };
                    told += std::log(first(seen) / first(usual_link));
                    untold = std::max(untold, first(usual_link) / first(seen));
                    ++cells;
                }
        EXPECT_LT(std::exp(told / cells), 0.93) << "the mean of the times over those of the usual link";
        EXPECT_GT(untold, 1.3);
    }
}

TEST(Decision, tries_two_recipes_of_a_class_where_nothing_was_measured_and_one_where_something_was) {
    bool met = false;
    for (const Width width : {Width::few, Width::best})
        for (const Bytes bytes : {Bytes(8), Bytes(4) << 10, Bytes(64) << 10}) {
            Decider decider(built_in_profile(), placement_of_layout("9x4"), width);
            std::map<std::string_view, int> of_class;
            for (const Recipe& rival : decider.chosen(a, bytes, {}, Policy::model).rivals)
                ++of_class[class_of(rival)];
            for (const auto& [name, count] : of_class) {
                EXPECT_LE(count, width == Width::few ? 2 : 1) << name;
                met = met || count == 2;
            }
        }
    EXPECT_TRUE(met);
}

// Shared memory was proposed only if all ranks are on one node, never inside several nodes.
TEST(Decision, proposes_memory_inside_nodes_where_it_has_a_price_and_something_else_beside_it) {
    for (const char* const layout : {"8x4", "5x3", "2x8", "7x24"})
        for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::bcast})
            for (const Bytes bytes : {Bytes(8), Bytes(4) << 10})
                for (const bool window : {false, true}) {
                    Decider prior(built_in_profile(window), placement_of_layout(layout), Width::few);
                    const auto& rivals = prior.chosen(collective, bytes, {}, Policy::model).rivals;
                    const auto through_memory = std::ranges::count_if(rivals, goes_through_memory);
                    EXPECT_EQ(through_memory, window ? 1 : 0) << layout << ' ' << name(collective);
                    EXPECT_GT(std::ssize(rivals), through_memory) << layout << ' ' << name(collective);
                    for (const Recipe& recipe : rivals)
                        EXPECT_FALSE(goes_through_memory(recipe) && recipe.segment) << to_string(recipe);
                }
}

TEST(Policies, are_known_by_name) {
    auto profile = profile_of(cluster());
    Decider decider(profile, placement_of_layout("64x1"));
    EXPECT_EQ(parse_policy("rabenseifner2004"), Policy::rabenseifner2004);
    EXPECT_THROW((void)parse_policy("best"), Error);
    const auto chosen = [&](Policy policy, Bytes bytes) {
        return to_string(decider.decide(a, bytes, {}, policy).recipe);
    };
    EXPECT_EQ(chosen(Policy::native, 64), "native");
    for (const Policy policy : {Policy::formula_hockney, Policy::formula_plogp}) {
        EXPECT_EQ(parse_policy(name(policy)), policy);
        EXPECT_NE(chosen(policy, 8), chosen(policy, 1 << 20));
    }
    EXPECT_EQ(chosen(Policy::rabenseifner2004, 32), "recursive_doubling");
    EXPECT_EQ(chosen(Policy::rabenseifner2004, 1 << 20), "rabenseifner");
    EXPECT_THAT(chosen(Policy::sqrt, 64), testing::HasSubstr("(G=8,"));
}

/// An advisor that knows two recipes. `context`: its seconds for a ring.
double advise(const char* collective, std::size_t bytes, int ranks, int nodes, const char* recipe,
              double seconds, void* context) {
    EXPECT_STREQ(collective, "allreduce");
    EXPECT_EQ(ranks, 16);
    EXPECT_EQ(nodes, 4);
    EXPECT_GE(seconds, 0);
    if (bytes != 65536) return -1;
    const std::string_view asked = recipe;
    return asked == "ring" ? *static_cast<double*>(context) : asked == "native" ? 1 : std::nan("");
}

TEST(OutsideModel, its_times_count_and_the_rest_stays) {
    const Placement placement = placement_of_layout("4x4");
    const Recipe ring = Recipe::parse("ring");
    const auto own = [&](Bytes bytes) {
        return Decider(profile_of(cluster()), placement).decide(Collective::allreduce, bytes, {}).ranked;
    };
    const std::vector<Candidate> ranked = own(65536);
    double seconds = 1e-9;
    set_outside_model({advise, &seconds});
    Decider advised(profile_of(cluster()), placement);
    const Decision decision = advised.decide(Collective::allreduce, 65536, {});
    EXPECT_EQ(decision.recipe, ring);
    EXPECT_EQ(decision.basis, Basis::advised);
    EXPECT_EQ(decision.expected, 1e-9);
    EXPECT_EQ(decision.native, 1);
    EXPECT_EQ(advised.expected(ring, Collective::allreduce, 65536, {}), 1e-9);
    EXPECT_EQ(advised.native(Collective::allreduce, 65536), 1);
    for (const Candidate& one : ranked) {
        if (one.recipe == ring || one.is_native()) continue;
        const auto same = std::ranges::find(decision.ranked, one.recipe, &Candidate::recipe);
        ASSERT_NE(same, decision.ranked.end());
        EXPECT_EQ(same->expected, one.expected) << "no opinion on " << to_string(one.recipe);
    }
    EXPECT_EQ(advised.decide(Collective::allreduce, 8, {}).native, 0) << "no opinion on short calls";
    set_outside_model({});
    EXPECT_EQ(own(65536).size(), ranked.size());
}

}  // namespace
}  // namespace echelon
