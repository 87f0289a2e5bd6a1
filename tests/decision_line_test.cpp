// SPDX-License-Identifier: Apache-2.0
/// Decisions that rank 0 sends on communicator creation, and how often they are written and read. Calls no
/// MPI.
#include "tuner/decision_line.hpp"
#include "groups/layout.hpp"
#include "mpi/clock.hpp"
#include "tuner/decision_tables.hpp"
#include "tuner/decisions.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

PlanKey sum_of(std::size_t bytes) {
    return {.collective = Collective::allreduce,
            .in_order = false,
            .exact = true,
            .root = 0,
            .element_size = 1,
            .count = bytes};
}

CallDecision told(const char* recipe) {
    return {{.recipe = Recipe::parse(recipe), .source = Source::model, .refusal = {}}};
}

TEST(DecisionTable, holds_for_up_to_twice_the_size) {
    auto table = std::make_shared<DecisionTable>();
    table->add(sum_of(1024), 2048, told("ring"));
    const CallClasses classes;
    Decisions choices(classes);
    choices.add(table);
    EXPECT_EQ(choices.find(sum_of(1000)), nullptr);
    ASSERT_NE(choices.find(sum_of(1024)), nullptr);
    ASSERT_NE(choices.find(sum_of(2047)), nullptr);
    EXPECT_EQ(choices.find(sum_of(2048)), nullptr);
    PlanKey rounding = sum_of(1024);
    rounding.exact = false;
    EXPECT_EQ(choices.find(rounding), nullptr) << "it may not serve operations that round";

    choices.add(sum_of(2047), told("circulant"));
    EXPECT_EQ(to_string(choices.find(sum_of(2047))->choice.recipe), "circulant") << "what is better known";
    EXPECT_EQ(to_string(choices.find(sum_of(1500))->choice.recipe), "ring");
    choices.clear();
    EXPECT_EQ(choices.find(sum_of(1024)), nullptr);
}

TEST(DecisionTable, holds_no_further_than_a_rule) {
    auto table = std::make_shared<DecisionTable>();
    table->add(sum_of(1024), 2048, told("ring"));
    const CallClasses cut({{Collective::allreduce, {1000, 1201, 1400}}, {Collective::bcast, {1100}}});
    Decisions choices(cut);
    choices.add(table);
    for (const std::size_t bytes : {1024, 1200}) EXPECT_NE(choices.find(sum_of(bytes)), nullptr) << bytes;
    for (const std::size_t bytes : {1201, 1399, 1400, 1500})
        EXPECT_EQ(choices.find(sum_of(bytes)), nullptr) << bytes;
    // Decisions on either side of an edge within one class.
    choices.add(sum_of(1300), told("circulant"));
    choices.add(sum_of(1400), told("linear"));
    EXPECT_EQ(to_string(choices.find(sum_of(1399))->choice.recipe), "circulant");
    EXPECT_EQ(to_string(choices.find(sum_of(1401))->choice.recipe), "linear");
}

TEST(DecisionTable, takes_for_exact_operations_what_serves_those_that_round) {
    DecisionTable table;
    PlanKey rounding = sum_of(1024);
    rounding.exact = false;
    table.add(rounding, 2048, told("ring"));
    ASSERT_NE(table.find(sum_of(1500)), nullptr);
    table.add(sum_of(896), 1600, told("circulant"));
    EXPECT_EQ(to_string(table.find(sum_of(1500))->decision.choice.recipe), "circulant")
        << "its own goes first";
    EXPECT_EQ(to_string(table.find(sum_of(1600))->decision.choice.recipe), "ring");
    EXPECT_EQ(to_string(table.find(rounding)->decision.choice.recipe), "ring");
}

TEST(DecisionTable, of_all_short_calls_the_least_tells) {
    DecisionTable table;
    table.add(sum_of(8), 64, told("ring"));
    for (const std::size_t bytes : {1, 8, 63}) EXPECT_NE(table.find(sum_of(bytes)), nullptr) << bytes;
    for (const std::size_t bytes : {0, 64}) EXPECT_EQ(table.find(sum_of(bytes)), nullptr) << bytes;
}

// These lines are sent to every new communicator and must be short for slow networks.
TEST(ToldLine, says_the_same_when_it_is_read) {
    CallDecision choice = told("leaders(node, linear+flat_tree, recursive_multiplying)");
    choice.choice.evidence = {0.25, 0.125};
    choice.arms = {{.recipe = choice.choice.recipe, .expected = 0.125},
                   {.recipe = Recipe(), .expected = 0.25, .seen = true},
                   {.recipe = Recipe::parse("ring"), .expected = 0.5, .setup = 1e-3, .known = true}};
    for (const std::size_t arms : {3, 2, 0}) {
        choice.arms.resize(arms);
        const DecisionMessage once =
            from_line(to_line({.key = sum_of(1024), .decision = choice, .until = 5000}));
        ASSERT_TRUE(once.decision.has_value());
        EXPECT_EQ(once.key, sum_of(1024));
        EXPECT_EQ(once.until, 5000u);
        EXPECT_EQ(once.decision->choice.recipe, choice.choice.recipe);
        EXPECT_EQ(once.decision->choice.source, Source::model);
        EXPECT_EQ(once.decision->choice.evidence.native, 0.25);
        EXPECT_EQ(once.decision->choice.evidence.ours, 0.125);
        ASSERT_EQ(once.decision->arms.size(), arms);
        for (std::size_t i = 0; i < arms; ++i) {
            const Tournament::Arm &found = once.decision->arms[i], &told = choice.arms[i];
            EXPECT_EQ(found.recipe, told.recipe);
            EXPECT_EQ(found.expected, told.expected);
            EXPECT_EQ(found.setup, told.setup);
            EXPECT_EQ(found.known, told.known);
            EXPECT_EQ(found.seen, told.seen);
        }
    }
    const DecisionMessage later = from_line(to_line({.key = sum_of(8), .later = 40}));
    EXPECT_FALSE(later.decision.has_value());
    EXPECT_EQ(later.later, 40);
}

TEST(DecisionTable, says_of_which_calls_rank_0_knows_nothing_yet) {
    DecisionTable table;
    EXPECT_FALSE(table.is_undecided(sum_of(8)));
    table.set_undecided(Collective::allreduce, 0b10001);  // 0 bytes, 8 to 15
    EXPECT_TRUE(table.is_undecided(sum_of(0)));
    for (const std::size_t bytes : {8, 15}) EXPECT_TRUE(table.is_undecided(sum_of(bytes)));
    for (const std::size_t bytes : {1, 7, 16}) EXPECT_FALSE(table.is_undecided(sum_of(bytes)));
    EXPECT_FALSE(table.is_undecided(sum_of(~std::size_t(0)))) << "beyond what it says";
}

// Every new communicator under a profile decided, wrote and read the same lines again.
TEST(DecisionTables, are_written_once_for_ranks_that_sit_alike_and_read_once) {
    const auto profile = std::make_shared<const Profile>();
    const auto one = std::make_shared<const Decider>(profile, placement_of_layout("4x4")),
               other = std::make_shared<const Decider>(profile, placement_of_layout("2x8"));
    DecisionTables tables;
    int writings = 0, readings = 0;
    const auto slowly = [&] {
        const Seconds until = now() + 0.05;
        while (now() < until) {
        }
        return std::to_string(++writings);
    };
    EXPECT_EQ(tables.written(one, slowly), "1");
    EXPECT_EQ(tables.written(one, slowly), "1");
    EXPECT_EQ(tables.written(other, slowly), "2");
    EXPECT_EQ(tables.written(one, slowly), "1") << "less than 5 s ago";

    const auto read = [&](const std::string&) { return ++readings, DecisionTable(); };
    const auto first = tables.read("1", read);
    EXPECT_EQ(tables.read("1", read), first);
    EXPECT_NE(tables.read("2", read), first);
    EXPECT_EQ(readings, 2);
}

TEST(DecisionTables, are_written_anew_when_the_program_does_not_notice) {
    const auto decider =
        std::make_shared<const Decider>(std::make_shared<const Profile>(), placement_of_layout("4x4"));
    DecisionTables tables;
    int writings = 0;
    const auto write = [&] { return std::to_string(++writings); };
    (void)tables.written(decider, write);
    const Seconds until = now() + 0.2;
    while (now() < until) {
    }
    EXPECT_EQ(tables.written(decider, write), "2");
}

}  // namespace
}  // namespace echelon
