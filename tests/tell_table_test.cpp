// SPDX-License-Identifier: Apache-2.0
/// Decisions message on communicator creation: it contains a route for the new communicator if rank 0 has a
/// free one, regardless of the other ranks.
#include "tuner/tell_table.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>

#include <memory>
#include <vector>

namespace echelon {
namespace {

constexpr PlanKey some_ints{.collective = Collective::bcast,
                            .in_order = false,
                            .exact = true,
                            .root = 1,
                            .element_size = sizeof(int),
                            .count = 100};

class TellTable : public testing::Test {
protected:
    static void SetUpTestSuite() { Process::instance()->initialized(); }

    /// A communicator on which rank 0 has sent `recipe` for bcasts.
    static State& told(const FirstRanks& ranks, const Recipe& recipe) {
        Profile profile;
        profile.rules.push_back({.collective = Collective::bcast, .recipe = recipe});
        State& state = *State::of(ranks.get());
        Tuner::of(state).set_profile(std::make_shared<const Profile>(std::move(profile)));
        tell_table(Tuner::of(state));
        return state;
    }
    static void expect_bcast(const FirstRanks& ranks, const Recipe& recipe) {
        std::vector<int> data(100, ranks.rank() == 1 ? 7 : 0);
        EXPECT_EQ(bcast(data.data(), 100, MPI_INT, 1, ranks.get()), MPI_SUCCESS);
        EXPECT_EQ(data, std::vector<int>(100, 7));
        const auto& plans = State::of(ranks.get())->plans().all();
        ASSERT_EQ(plans.size(), 1u);
        EXPECT_EQ(to_string(plans.begin()->second.choice.recipe), to_string(recipe));
    }

    const int held = Process::instance()->budget().held();
};

const Recipe by_messages = Recipe::parse("leaders(G=2, binomial, chain)");

TEST_F(TellTable, MessagesAloneNeedNoCommunicator) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = told(ranks, by_messages);
    if (state.process().world().told_routes() == nullptr) GTEST_SKIP() << "all goes by one channel";
    EXPECT_EQ(state.process().budget().held(), held);
    EXPECT_EQ(state.own().route().comm, state.process().world().own_world()->get());
    expect_bcast(ranks, by_messages);
}

TEST_F(TellTable, ARuleHasCommunicatorsMadeForNativePhases) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    const auto with_native = Recipe::parse("leaders(G=2, native, chain)");
    State& state = told(ranks, with_native);
    if (state.process().world().told_routes() == nullptr) GTEST_SKIP() << "all goes by one channel";
    EXPECT_TRUE(state.own().is_provided(with_native, some_ints));
    EXPECT_EQ(state.process().budget().held(), held + 3);
    expect_bcast(ranks, with_native);
}

// This test runs last: it uses up the routes of these ranks.
TEST_F(TellTable, WhereRank0HasNoWayLeftTheCommunicatorIsCopied) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    ToldRoutes* const routes = State::of(ranks.get())->process().world().told_routes();
    if (routes == nullptr) GTEST_SKIP() << "all goes by one channel";
    // First another rank runs out of routes, which has no effect; then rank 0.
    const auto use_up = [&] {
        while (routes->take()) continue;
    };
    if (ranks.rank() == 1) use_up();
    {
        const FirstRanks others(4);
        EXPECT_EQ(told(others, by_messages).own().route().comm,
                  Process::instance()->world().own_world()->get());
        expect_bcast(others, by_messages);
    }
    if (ranks.rank() == 0) use_up();
    State& state = told(ranks, by_messages);
    EXPECT_NE(state.own().route().comm, state.process().world().own_world()->get());
    EXPECT_EQ(state.process().budget().held(), held + 1);
    expect_bcast(ranks, by_messages);
}

}  // namespace
}  // namespace echelon
