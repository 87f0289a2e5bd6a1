// SPDX-License-Identifier: Apache-2.0
/// Decisions ignored the cost of making communicators for native phases: each new communicator made some for
/// a gain of a hundredth. Communicators that exist cost nothing.
#include "groups/layout.hpp"
#include "tests/support/communicators.hpp"
#include "tuner/decide.hpp"
#include "tuner/tuner.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace echelon {
namespace {

const Recipe with_native = Recipe::parse("leaders(G=2, native, binomial)"),
             by_messages = Recipe::parse("ring");

constexpr PlanKey some_ints{.collective = Collective::allreduce,
                            .in_order = false,
                            .exact = true,
                            .root = 0,
                            .element_size = sizeof(int),
                            .count = 256};

/// Profile in which the ring takes `messages` seconds and native phases inside take 2 % less.
std::shared_ptr<const Profile> profile_of(State& state, Seconds messages) {
    const std::string layout = layout_of(state.own().placement(true, true));
    Profile profile;
    profile.parameters.emplace();
    profile.parameters->machine = {.inside = Hockney{messages, 1e-9}, .between = Hockney{messages, 1e-9}};
    const auto took = [&](const Recipe& recipe, Bytes bytes, Seconds seconds) {
        profile.samples.push_back({.collective = Collective::allreduce,
                                   .p = state.size(),
                                   .layout = layout,
                                   .bytes = bytes,
                                   .recipe = recipe,
                                   .seconds = seconds,
                                   .spread = 0.05});
    };
    for (const Bytes bytes : {512, 1024, 2048}) {
        took(Recipe(), bytes, 10 * messages);
        took(by_messages, bytes, messages);
        took(with_native, bytes, 0.98 * messages);
    }
    return std::make_shared<const Profile>(std::move(profile));
}

bool is_tried(const CallDecision& told, const Recipe& recipe) {
    return std::ranges::any_of(told.arms, [&](const Trial::Arm& one) { return one.recipe == recipe; });
}

TEST(PriceOfParts, CountsWhereTheyHaveToBeMade) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    Tuning(ranks.get()).trials("allreduce", 5);
    // A hundred calls gain 40 us here, less than three communicators cost; in the next test they gain 20 ms.
    Tuner::of(state).set_profile(profile_of(state, 20e-6));
    const CallDecision spared = decide(Tuner::of(state), some_ints);
    EXPECT_EQ(to_string(spared.choice.recipe), to_string(by_messages));
    EXPECT_EQ(spared.choice.source, Source::model);
    ASSERT_FALSE(spared.arms.empty());
    EXPECT_EQ(spared.arms.front().recipe, by_messages);
    EXPECT_TRUE(is_tried(spared, with_native)) << "it has its chance, at its price";

    state.own().provide(with_native, some_ints);
    EXPECT_EQ(to_string(decide(Tuner::of(state), some_ints).choice.recipe), to_string(with_native))
        << "they are there";
}

TEST(PriceOfParts, IsLittleBesideLongCalls) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    Tuning(ranks.get()).trials("allreduce", 5);
    Tuner::of(state).set_profile(profile_of(state, 10e-3));
    EXPECT_EQ(to_string(decide(Tuner::of(state), some_ints).choice.recipe), to_string(with_native));
}

}  // namespace
}  // namespace echelon
