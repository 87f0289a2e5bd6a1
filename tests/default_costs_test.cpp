// SPDX-License-Identifier: Apache-2.0
#include "tuner/default_costs.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Rough, takes_as_many_messages_as_a_tree_is_high) {
    const DefaultCosts network(32, false), node(32, true);
    EXPECT_EQ(network.call(0), 30'000u);
    EXPECT_EQ(network.quick_call(1000), 6'000u + 1000u);
    EXPECT_EQ(node.call(800), 1'200u + 100u);
    EXPECT_EQ(node.call(800), node.quick_call(800));
}

TEST(Rough, decides_for_nothing_inside_a_node) {
    constexpr Bytes few = 8, many = 1 << 20;
    constexpr Pattern all = Pattern::to_all;
    EXPECT_EQ(DefaultCosts(32, false).decision(all, few), 2'080'000u);
    EXPECT_EQ(DefaultCosts(32, false).decision(all, many), 3'480'000u) << "segments are replayed, too";
    EXPECT_EQ(DefaultCosts(32, false).decision(Pattern::from_root, many), 4'480'000u)
        << "calls in a row, too";
    EXPECT_EQ(DefaultCosts(32, true).decision(all, many), 0u);
    EXPECT_EQ(DefaultCosts(32, true).wide_decision(all, few), 9'600'000u) << "but by a profile";
    EXPECT_EQ(DefaultCosts(32, true).wide_decision(Pattern::to_root, few), 4'800'000u);
    EXPECT_EQ(DefaultCosts(1024, false).wide_decision(all, many),
              DefaultCosts(512, false).wide_decision(all, many));
}

TEST(Rough, calls_have_paid_twenty_times_for_a_thought) {
    for (const int ranks : {2, 5, 28, 60, 1000})
        for (const bool memory : {false, true})
            for (Bytes bytes = 8; bytes <= Bytes(1) << 22; bytes *= 2) {
                const DefaultCosts rough(ranks, memory);
                const auto calls = std::uint64_t(calls_before_decision(rough, bytes));
                const std::uint64_t call = rough.quick_call(bytes);
                // For longer calls, a decision costs a program of twenty calls less than a hundredth.
                EXPECT_TRUE((calls + 1) * call > 20 * rough.telling() || 100 * rough.telling() <= 20 * call)
                    << ranks << ' ' << memory << ' ' << bytes;
                EXPECT_TRUE(calls == 20 || calls * call <= 20 * rough.telling())
                    << ranks << ' ' << memory << ' ' << bytes;
            }
}

TEST(Rough, numbers_go_to_rank_0_past_the_calls) {
    EXPECT_EQ(DefaultCosts(1, false).exchange(), 1'000u);
    for (const int ranks : {2, 32, 1000}) {
        const DefaultCosts rough(ranks, false);
        EXPECT_LT(rough.exchange(), rough.telling_in_passing(false)) << "which comes with it";
        EXPECT_LE(rough.exchange(), rough.quick_call(0));
    }
    EXPECT_EQ(DefaultCosts(32, false, 3'000'000).exchange(), DefaultCosts(32, false).exchange())
        << "no rank waits for messages";
}

// No call waits for this decision.
TEST(Rough, calls_pay_sooner_for_a_thought_in_passing) {
    constexpr std::uint64_t step = 3'000'000;
    EXPECT_EQ(calls_before_decision_in_passing({32, false, step}, 8), 2) << "which show what they take";
    EXPECT_EQ(calls_before_decision_in_passing({28, false}, 8), 59);
    EXPECT_EQ(calls_before_decision_in_passing({28, false}, Bytes(64) << 10), 4);
    EXPECT_EQ(calls_before_decision_in_passing({28, false}, Bytes(4) << 20), 2);
    EXPECT_EQ(calls_before_decision_in_passing({28, false}, 8, true), 487) << "where the root sends to each";
}

// Short calls on a slow network stayed native for hundreds of calls before a decision.
TEST(Rough, calls_on_a_slow_network_pay_soon) {
    constexpr std::uint64_t step = 3'000'000;
    EXPECT_EQ(calls_before_decision({32, false, step}, 8), 20);
    EXPECT_EQ(DefaultCosts(32, false, step).communicator(), DefaultCosts(32, false).communicator())
        << "as what models expect of calls";
    EXPECT_EQ(calls_before_decision({32, false, 100}, 8), calls_before_decision({32, false}, 8))
        << "no quicker than quick";
}

// Oversubscribed ranks take milliseconds even for calls inside a node: hundreds of calls went by before a
// decision.
TEST(Rough, calls_of_a_crowd_pay_soon) {
    constexpr std::uint64_t turn = 1'000'000;
    EXPECT_GT(calls_before_decision({4, true}, 8), 1000);
    EXPECT_EQ(calls_before_decision({4, true, turn}, 8), 20);
    const DefaultCosts crowd(4, true, turn);
    EXPECT_LT(crowd.window(), 5 * crowd.call(8)) << "what it makes is of the same world";
}

TEST(Rough, long_calls_need_not_wait) {
    EXPECT_EQ(calls_before_decision({28, false}, 8), 419);
    EXPECT_EQ(calls_before_decision({28, false}, Bytes(64) << 10), 29);
    EXPECT_EQ(calls_before_decision({28, false}, Bytes(256) << 10), 20);
    EXPECT_EQ(calls_before_decision({28, false}, Bytes(1) << 20), 1);
    EXPECT_EQ(calls_before_decision({28, false}, Bytes(4) << 20), 0);
}

// The transfer time of bytes was ignored: long calls on a slow network stayed native twenty times.
TEST(Rough, bytes_of_a_slow_network_count) {
    constexpr std::uint64_t step = 3'000'000, byte = 2'500;
    EXPECT_EQ(calls_before_decision({32, false, step}, Bytes(64) << 10), 20);
    EXPECT_EQ(calls_before_decision({32, false, step, byte}, Bytes(64) << 10), 1);
    EXPECT_EQ(calls_before_decision({32, false, step, byte}, 512), 20);
}

}  // namespace
}  // namespace echelon
