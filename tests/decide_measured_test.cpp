// SPDX-License-Identifier: Apache-2.0
// Precedence of measurements and model in a decision.
#include "estimators/choice/decide.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/price/replay.hpp"
#include "groups/layout.hpp"
#include "support/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

namespace echelon {
namespace {

constexpr Collective a = Collective::allreduce, r = Collective::reduce;

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
    // The last measured segment of a size stood for all segments: slow ones counted as fast.
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
    // Without a native measurement the decision stays native.
    EXPECT_EQ(to_string(decider.decide(r, 65536, {}).recipe), "native");
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
    // Inside one site the distance between sites costs nothing.
    const Placement one = placement_of_layout("12x1 on 2 sites").of(std::vector<int>{0, 1, 2, 3, 4, 5});
    EXPECT_EQ(Decider(profile_of(far_apart()), one).decide(a, 8, {}).ranked.front().expected,
              Decider(profile_of(cluster()), one).decide(a, 8, {}).ranked.front().expected);
}

// Corrections learned on all ranks, four per node, misled on one rank per node.
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
    // A geometric mean of three values: its own factor, the median of all families (only this one is known),
    // and the plain model.
    EXPECT_NEAR(factor(half), std::cbrt(3 * 2 * 2), 0.1);
    EXPECT_DOUBLE_EQ(factor(spread), 1);
}

// A time for 8 bytes on eight ranks, one of them late, misled on 32 KB.
TEST(Decision, factors_fade_where_nobody_measured) {
    const Placement placement = placement_of_layout("8x1");
    auto profile = profile_of(cluster());
    const Recipe flat = Recipe::parse("flat_tree"), ring = Recipe::parse("ring");
    const auto factor = [&](const Recipe& recipe, Bytes bytes) {
        return Decider(profile, placement).expected(recipe, a, bytes, {}) /
               Decider(profile_of(cluster()), placement).predicted(recipe, a, bytes, {}).value();
    };
    profile->samples.push_back(
        {a, 8, "8x1", 8, flat, 3 * Decider(profile, placement).predicted(flat, a, 8, {}).value(), 0});
    learn_corrections(*profile);
    EXPECT_NEAR(factor(flat, 8), 3, 1e-6);
    EXPECT_NEAR(factor(ring, 8), 2, 1e-6) << "the middle of its factor and 1";
    EXPECT_LT(factor(ring, 32 << 10), 1.25);
    EXPECT_GT(factor(ring, 32 << 10), 1.1);
}

// Recipes hardly differ among three or four ranks: their times there say little of larger groups. They count
// only if no larger group was measured.
TEST(Decision, the_fewest_ranks_say_nothing_of_more_where_more_were_measured) {
    const Recipe flat = Recipe::parse("flat_tree"), ring = Recipe::parse("ring");
    auto profile = profile_of(cluster());
    const auto measure = [&](const char* layout, const Recipe& recipe, double factor) {
        const Placement placement = placement_of_layout(layout);
        const Seconds model = Decider(profile_of(cluster()), placement).predicted(recipe, a, 64, {}).value();
        profile->samples.push_back({a, placement.size(), layout, 64, recipe, factor * model, 0});
        learn_corrections(*profile);
    };
    measure("4x1", flat, 3);
    const auto factor = [&](const char* layout) {
        Decider decider(profile, placement_of_layout(layout));
        return decider.expected(flat, a, 64, {}) / decider.predicted(flat, a, 64, {}).value();
    };
    EXPECT_NEAR(factor("4x1"), 3, 1e-6);
    EXPECT_GT(factor("3x1"), 1.5) << "nearly as many";
    EXPECT_NEAR(factor("5x1"), 3, 1e-6) << "nothing else is known";
    measure("16x1", ring, 1);
    EXPECT_NEAR(factor("4x1"), 3, 1e-6);
    EXPECT_NEAR(factor("5x1"), 1, 1e-6);
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

// A recipe known only to the model displaced measured ones between calibrated sizes, and was much slower. Its
// error on several nodes was taken from one node.
TEST(Decision, promises_nothing_where_no_such_messages_were_measured) {
    const auto profile = profile_of(cluster());
    profile->parameters->residual = 0.02;
    profile->parameters->between_is_measured = false;
    for (const Bytes bytes : {1024, 65536})
        profile->samples.push_back({a, 8, "1x8", bytes, Recipe(), 1, 0.01});
    profile->corrections.push_back({a, "ring", {{1024, 1, 1}, {65536, 1, 1}}, 0.01, 16, 2});
    const auto decided = [&](const char* layout) {
        Decider decider(profile, placement_of_layout(layout));
        return std::pair(decider.decide(a, 65536, {}), std::string(decider.not_measured()));
    };
    const auto [known, nothing] = decided("1x8");
    EXPECT_EQ(nothing, "");
    EXPECT_EQ(known.native, 1);
    const auto [dark, messages] = decided("2x8");
    EXPECT_EQ(messages, "between nodes");
    EXPECT_EQ(dark.recipe, Recipe()) << "nothing is promised";
    EXPECT_EQ(dark.native, 0) << "one node's time is not that of two";
    ASSERT_GT(dark.ranked.size(), 10u);
    for (const Candidate& one : dark.ranked) {
        EXPECT_GE(one.error, 1) << to_string(one.recipe);
        EXPECT_THAT(one.reason, testing::HasSubstr("between nodes were not measured"));
    }
    // Measurements on exactly these ranks hold.
    profile->samples.push_back({a, 16, "2x8", 65536, Recipe(), 1, 0.01});
    profile->samples.push_back({a, 16, "2x8", 65536, Recipe::parse("ring"), 0.5, 0.01});
    EXPECT_EQ(to_string(decided("2x8").first.recipe), "ring");

    profile->parameters->between_is_measured = true;
    profile->parameters->inside_is_measured = false;
    EXPECT_EQ(decided("8x1").second, "");
    EXPECT_EQ(decided("1x8").second, "inside nodes");
    EXPECT_EQ(decided("4x2").second, "inside nodes");
}

// A calibrated program with a broadcast after a broadcast got what is best for one alone.
TEST(Decision, weighs_rows_of_calls_where_ranks_may_leave_early) {
    const Placement placement = placement_of_layout("8x1");
    const auto chosen = [&](Collective collective, Seconds row_of_native, Seconds native = 4) {
        Profile profile;
        const auto add = [&](const char* text, Seconds alone, Seconds row) {
            profile.samples.push_back({collective, 8, "8x1", 1024, Recipe::parse(text), alone, 0.01, row});
        };
        add("native", native, row_of_native);
        add("binomial", 1, 1);
        add("chain", 1.5, 0.3);
        return to_string(
            Decider(std::make_shared<const Profile>(profile), placement).decide(collective, 1024, {}).recipe);
    };
    EXPECT_EQ(chosen(Collective::bcast, 3), "chain") << "sqrt(1.5 * 0.3) is less than 1";
    EXPECT_EQ(chosen(Collective::bcast, 3, 1.4), "binomial") << "alone the chain takes longer than native";
    EXPECT_EQ(chosen(Collective::bcast, 0), "binomial") << "a profile of before has no rows";
    EXPECT_EQ(chosen(Collective::allreduce, 3), "binomial") << "ranks wait for each other";
}

// A calibration measures three recipes on a part of the ranks; a far better one stayed a challenger there,
// though the model was right about all that had been measured.
TEST(Decision, a_certain_lead_displaces_what_was_measured) {
    const Placement placement = placement_of_layout("4x4");
    auto profile = profile_of(cluster());
    profile->parameters->residual = 0.05;
    Decider model(profile, placement);
    const Recipe slow = Recipe::parse("chain");
    const auto decided = [&](double off) {
        profile->samples.clear();
        profile->samples.push_back({a, 16, "4x4", 2048, Recipe(), 1, 0.01});
        profile->samples.push_back(
            {a, 16, "4x4", 2048, slow, off * model.predicted(slow, a, 2048, {}).value(), 0.01});
        return Decider(profile, placement).decide(a, 2048, {});
    };
    EXPECT_EQ(decided(1.05).basis, Basis::model);
    EXPECT_FALSE(decided(1.05).challenger);
    EXPECT_EQ(decided(1.5).recipe, slow) << "the model does not know these ranks";
    EXPECT_TRUE(decided(1.5).challenger);
}

TEST(Decision, what_was_never_measured_displaces_nothing_without_a_trial) {
    const Placement placement = placement_of_layout("4x4");
    auto profile = profile_of(cluster());
    Decider model(profile, placement);
    // All measured recipes take longer than the model says.
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
    // Only native was measured.
    std::erase_if(profile->samples,
                  [](const Sample& one) { return one.recipe.kind != Recipe::Kind::native; });
    const Decision decision = Decider(profile, placement).decide(a, 3000, {});
    EXPECT_EQ(to_string(decision.recipe), "native");
    EXPECT_TRUE(decision.challenger);
}

// With eight recipes measured at both neighbouring sizes, a recipe that was fastest at one of them and not
// measured at the other was no candidate.
TEST(Decision, knows_what_led_at_one_of_the_sizes_around) {
    const Placement placement = placement_of_layout("4x4");
    auto profile = profile_of(cluster());
    const auto add = [&](const char* text, Bytes bytes, Seconds seconds) {
        profile->samples.push_back({r, 16, "4x4", bytes, Recipe::parse(text), seconds, 0.01});
    };
    const Bytes low = 32768, size = 65536, high = 131072;
    for (const Bytes bytes : {low, high}) {
        const double scale = double(bytes) / double(low);
        add("native", bytes, 9e-3 * scale);
        for (const char* text :
             {"binomial", "binary", "chain", "flat_tree", "knomial(k=4)", "linear", "ring", "kchain"})
            add(text, bytes, 2e-3 * scale);
    }
    add("leaders(node, binomial, binomial)", high, 3e-3);
    add("leaders(node, flat_tree, binomial)", high, 9e-3);
    Decider decider(profile, placement);
    EXPECT_EQ(to_string(decider.decide(r, size, {}).recipe), "leaders(node, binomial, binomial)");
}

// Sub-communicators were made for a gain of half a percent.
TEST(Decision, takes_what_has_no_native_parts_where_it_was_measured_to_take_as_long) {
    const auto chosen = [](Seconds other) {
        Profile profile;
        for (const auto& [text, seconds] :
             {std::pair("native", 2.0), {"lanes(G=2, native, ring)", 1.0}, {"ring", other}})
            profile.samples.push_back({a, 8, "8x1", 1024, Recipe::parse(text), seconds, 0});
        return to_string(Decider(std::make_shared<const Profile>(profile), placement_of_layout("8x1"))
                             .decide(a, 1024, {})
                             .recipe);
    };
    EXPECT_EQ(chosen(1.005), "ring");
    EXPECT_EQ(chosen(1.05), "lanes(G=2, native, ring)");
}

}  // namespace
}  // namespace echelon
