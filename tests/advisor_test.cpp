// SPDX-License-Identifier: Apache-2.0
// Sources of a choice: a profile's rule, earlier findings, the estimator. Explanations of a choice.
#include "estimators/choice/advisor.hpp"
#include "estimators/choice/explain.hpp"
#include "groups/layout.hpp"
#include "support/time_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace echelon {
namespace {

using Ground = Decider::Ground;
constexpr Collective a = Collective::allreduce;
constexpr Operation plain{.in_order = false, .exact = false};

Profile machine() {
    Profile profile;
    profile.parameters = Parameters{
        .machine = {.inside = Hockney{5e-7, 2.5e-10}, .between = Hockney{2e-5, 8e-10}}, .residual = 0.05};
    for (const Bytes bytes : {8, 65536}) {
        profile.samples.push_back({a, 16, "4x4", Bytes(bytes), Recipe(), 1, 0});
        profile.samples.push_back({a, 16, "4x4", Bytes(bytes), Recipe::parse("ring"), 0.5, 0});
    }
    return profile;
}

Advisor advisor(Profile profile) {
    return {std::make_shared<const Profile>(std::move(profile)), placement_of_layout("4x4")};
}

TEST(Advisor, rules_come_before_decisions_and_these_before_the_model) {
    Profile profile = machine();
    Advisor model = advisor(profile);
    EXPECT_EQ(model.advise(a, 1024, plain).source, Source::model);
    EXPECT_NE(to_string(model.advise(a, 1024, plain).recipe), "native") << "which takes a second";

    profile.decisions.push_back({a, 16, "4x4", {1000, 2000}, Recipe::parse("ring"), 1e-6, 2e-6});
    profile.decisions.push_back({a, 16, "16x1", {0, 9}, Recipe::parse("ring"), 1e-6, 2e-6});
    Advisor learned = advisor(profile);
    EXPECT_EQ(to_string(learned.advise(a, 1024, plain).recipe), "ring");
    EXPECT_EQ(learned.advise(a, 1024, plain).source, Source::profile_decision);
    EXPECT_EQ(learned.advise(a, 8, plain).source, Source::model) << "another layout's decision";

    profile.rules.push_back({.collective = a, .sizes = {0, 4096}, .recipe = Recipe::parse("rabenseifner")});
    Advisor ruled = advisor(profile);
    EXPECT_EQ(to_string(ruled.advise(a, 1024, plain).recipe), "rabenseifner");
    EXPECT_EQ(ruled.advise(a, 4097, plain).source, Source::model);
}

// Every new size on a communicator cost a decision of its own.
TEST(Advisor, knows_what_a_choice_goes_by) {
    Profile profile = machine();
    Advisor one = advisor(profile);
    EXPECT_EQ(one.ground(a, 1024, plain), Ground::model);
    (void)one.advise(a, 1024, plain);
    EXPECT_EQ(one.ground(a, 1030, plain), Ground::decided) << "decided for 1024";
    EXPECT_EQ(one.ground(a, 4096, plain), Ground::model);
    one.set_policy(a, {4096, 4096}, Policy::sqrt);
    EXPECT_EQ(one.ground(a, 4096, plain), Ground::decided) << "asked for";

    for (const char* const recipe :
         {"binomial", "binary", "chain", "linear", "direct", "circulant", "rabenseifner"})
        for (const Bytes bytes : {8, 65536})
            profile.samples.push_back({a, 16, "4x4", bytes, Recipe::parse(recipe), 0.6, 0});
    EXPECT_EQ(advisor(profile).ground(a, 8, plain), Ground::measured) << "enough was measured";
    EXPECT_EQ(advisor(profile).ground(a, 4096, plain), Ground::measured) << "on both sides";
    EXPECT_DOUBLE_EQ(advisor(profile).decider().fastest_measured(a, 8), 0.5);
    EXPECT_EQ(advisor(profile).ground(a, 131072, plain), Ground::model);
    EXPECT_EQ(advisor(profile).decider().fastest_measured(a, 131072), 0);
    profile.rules.push_back({.collective = a, .recipe = Recipe::parse("ring")});
    EXPECT_EQ(advisor(profile).ground(a, 131072, plain), Ground::decided) << "a rule";
}

TEST(Advisor, goes_on_where_its_time_ended) {
    for (const Bytes bytes : {8, 3000, 500'000}) {
        Advisor whole = advisor(machine()), in_parts = advisor(machine());
        const auto chosen = [&](Advisor& one) -> const Decider::Chosen& {
            return one.decider().chosen(a, bytes, plain, Policy::model);
        };
        int attempts = 1;
        while (!decides_within(20, [&] { return chosen(in_parts).rivals; })) ++attempts;
        EXPECT_GT(attempts, 2);
        EXPECT_EQ(to_string(chosen(in_parts).recipe), to_string(chosen(whole).recipe)) << bytes;
        EXPECT_EQ(chosen(in_parts).rivals, chosen(whole).rivals) << bytes;
    }
}

TEST(Advisor, a_rule_that_cannot_serve_is_told_and_passed_over) {
    Profile profile = machine();
    profile.rules.push_back({.collective = a, .recipe = Recipe::parse("leaders(G=17, ring, ring)")});
    const auto advice = advisor(profile).advise(a, 1024, plain);
    EXPECT_EQ(advice.source, Source::model);
    EXPECT_THAT(advice.refusal, testing::HasSubstr("17"));
}

TEST(Advisor, policies_hold_for_their_sizes) {
    Advisor one = advisor(machine());
    one.set_policy(a, {0, 100}, Policy::native);
    EXPECT_EQ(to_string(one.advise(a, 100, plain).recipe), "native");
    EXPECT_NE(to_string(one.advise(a, 101, plain).recipe), "native");
}

TEST(SizeClass, has_eight_in_each_power_of_two_and_one_below) {
    EXPECT_EQ(Decider::size_class(0), 0u);
    for (const Bytes bytes : {1, 8, 48, 127}) EXPECT_EQ(Decider::size_class(bytes), 8u) << bytes;
    EXPECT_EQ(Decider::size_class(128), 128u);
    EXPECT_EQ(Decider::size_class(143), 128u);
    EXPECT_EQ(Decider::size_class(1024), 1024u);
    EXPECT_EQ(Decider::size_class(1151), 1024u);
    EXPECT_EQ(Decider::size_class(1152), 1152u);
    EXPECT_EQ(Decider::size_class(~Bytes(0)), Bytes(15) << 60);
}

TEST(Explain, says_what_was_chosen_and_why_not_the_others) {
    Profile profile = machine();
    profile.samples.push_back({a, 16, "4x4", 65536, Recipe::parse("ring"), 1e-6, 0.01});
    Advisor one = advisor(profile);
    const Explanation explanation = explain(one, a, 65536, plain);
    EXPECT_EQ(to_string(explanation.chosen), "ring");
    const std::string text = to_text(explanation, 5);
    EXPECT_THAT(text, testing::HasSubstr("64K bytes on 16 ranks (4x4): ring, chosen by the model"));
    EXPECT_THAT(text, testing::HasSubstr("measured"));
    EXPECT_THAT(text, testing::HasSubstr("cannot serve: census")) << "it is for exact operations alone";

    const auto json = nlohmann::json::parse(to_json(explanation));
    EXPECT_EQ(json["chosen"], "ring");
    EXPECT_EQ(json["groups"], 1);
    EXPECT_EQ(json["source"], "model");
    EXPECT_NEAR(json["candidates"][0]["measured_s"].get<double>(), 1e-6, 1e-12);
    EXPECT_FALSE(json["candidates"][0].contains("reason"));
    EXPECT_TRUE(json["candidates"][1].contains("reason"));
    EXPECT_EQ(json["candidates"].size(), explanation.decision.ranked.size());
    EXPECT_EQ(json["not_measured"], "");
}

TEST(Explain, says_why_native_is_chosen) {
    Profile profile;
    profile.rules.push_back({.collective = a, .recipe = {}});
    Advisor ruled = advisor(profile);
    EXPECT_THAT(to_text(explain(ruled, a, 65536, plain), 5),
                testing::HasSubstr("  native: a rule of the profile asks for it\n"));
    Advisor silent = advisor(Profile());
    const Explanation by_nothing = explain(silent, a, 65536, plain);
    EXPECT_THAT(to_text(by_nothing, 5),
                testing::HasSubstr("  native: the profile has neither parameters nor samples"));
    EXPECT_EQ(nlohmann::json::parse(to_json(by_nothing))["why_native"], by_nothing.why_native);
    Advisor knows = advisor(machine());
    EXPECT_EQ(explain(knows, a, 65536, plain).why_native, "");
}

TEST(Explain, says_what_the_model_says_of_recipes_that_are_asked_about) {
    Profile profile = machine();
    profile.rules.push_back({.collective = a, .recipe = Recipe::parse("leaders(node, ring, ring)")});
    Advisor one = advisor(profile);
    const Explanation explanation =
        explain(one, a, 65536, plain,
                {Recipe::parse("ring"), Recipe::parse("leaders(G=4, native, ring)"),
                 Recipe::parse("leaders(G=17, ring, ring)")});
    const auto json = nlohmann::json::parse(to_json(explanation));
    EXPECT_EQ(json["groups"], 4) << "nodes";
    const auto asked = json["asked"];
    ASSERT_EQ(asked.size(), 3u);
    EXPECT_EQ(asked[0]["recipe"], "ring");
    const double predicted = asked[0]["predicted_s"].get<double>();
    EXPECT_GT(predicted, 30 * 2e-5) << "2 (p - 1) steps";
    EXPECT_LT(predicted, 0.01) << "half a second was measured: the model's word, not the sample";
    EXPECT_FALSE(asked[1].contains("predicted_s")) << "it has none of native parts";
    EXPECT_FALSE(asked[2].contains("predicted_s"));
    EXPECT_THAT(asked[2]["reason"].get<std::string>(), testing::HasSubstr("17"));
    EXPECT_THAT(to_text(explanation, 5),
                testing::HasSubstr("asked: leaders(G=4, native, ring), - by the model"));
    EXPECT_THAT(to_text(explanation, 5),
                testing::HasSubstr("asked: leaders(G=17, ring, ring) cannot serve: "));
}

TEST(Explain, says_which_messages_were_not_measured) {
    Profile profile = machine();
    profile.samples.clear();
    profile.samples.push_back({a, 4, "1x4", 65536, Recipe(), 1, 0});
    profile.parameters->between_is_measured = false;
    Advisor one = advisor(profile);
    const Explanation explanation = explain(one, a, 65536, plain);
    const std::string text = to_text(explanation, 5);
    EXPECT_THAT(text, testing::HasSubstr("between nodes: not measured"));
    EXPECT_THAT(text, testing::HasSubstr("100%"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(" 5%")));
    EXPECT_EQ(nlohmann::json::parse(to_json(explanation))["not_measured"], "between nodes");
}

// The native collective ran in place of a much faster recipe, and the explanation gave no reason.
TEST(Explain, says_which_native_phases_nothing_is_known_of) {
    Profile profile = machine();
    profile.samples.clear();
    const Recipe with_native = Recipe::parse("leaders(node, native, ring)");
    for (const Bytes bytes : {8, 65536}) {
        profile.samples.push_back({a, 8, "2x4", bytes, Recipe(), 0.05, 0.01});
        profile.samples.push_back({a, 16, "4x4", bytes, with_native, 0.001, 0.01});
    }
    Advisor one = advisor(profile);
    const std::string sentence = "leaders(node, native, ring) was measured at 8-64K bytes alone";
    const Explanation beyond = explain(one, a, 1 << 20, plain);
    EXPECT_NE(beyond.chosen, with_native);
    EXPECT_THAT(to_text(beyond, 5), testing::HasSubstr("left out: " + sentence));
    const auto not_known = nlohmann::json::parse(to_json(beyond))["not_known"];
    ASSERT_EQ(not_known.size(), 1u);
    EXPECT_EQ(not_known[0]["recipe"], "leaders(node, native, ring)");
    EXPECT_THAT(not_known[0]["reason"].get<std::string>(), testing::HasSubstr(sentence));

    const Explanation within = explain(one, a, 4096, plain);
    EXPECT_EQ(within.chosen, with_native);
    EXPECT_TRUE(within.not_known.empty());
    // Native phases inside a node have a price once native reduce and bcast were measured on the ranks of a
    // node.
    for (const Collective phase : {Collective::reduce, Collective::bcast})
        for (const Bytes bytes : {8, 1 << 20})
            profile.samples.push_back({phase, 4, "1x4", bytes, Recipe(), 0.0001, 0.01});
    Advisor knows = advisor(profile);
    const Explanation priced = explain(knows, a, 1 << 20, plain);
    EXPECT_TRUE(priced.not_known.empty());
    EXPECT_GT(std::ranges::count(priced.decision.ranked, with_native, &Candidate::recipe), 0);
}

}  // namespace
}  // namespace echelon
