// SPDX-License-Identifier: Apache-2.0
/// State that hangs on a communicator: two splits serve every root, duplicates inherit nothing, and all of it
/// is freed with the communicator.
#include "cache/make_plan.hpp"
#include "mpi/told_routes.hpp"
#include "tests/support/communicators.hpp"
#include "tuner/mail.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <echelon/echelon.hpp>
#include <numeric>

namespace echelon {
namespace {

TEST(Cache, TwoSplitsServeEveryRoot) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    Tuning(ranks.get()).force("bcast", "leaders(G=2, binomial, binomial)");
    Tuning(ranks.get()).force("reduce", "lanes(G=2, ring, binomial)");
    for (int round = 0; round < 3; ++round)
        for (int root = 0; root < ranks.size(); ++root) {
            int value = root == ranks.rank() ? root : -1;
            bcast(&value, 1, MPI_INT, root, ranks.get());
            EXPECT_EQ(value, root);
            int sum = 0;
            reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, ranks.get());
        }
    const State& state = *State::of(ranks.get());
    EXPECT_EQ(state.own().split_counters().splits, 2);
    EXPECT_GT(state.own().split_counters().hits, 10);
    EXPECT_EQ(state.plans().made(), 2 * ranks.size());
}

TEST(Cache, WhenCommunicatorsRunOutRanksAreTranslated) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    const int room = state.process().budget().most() - state.process().budget().held() - 1;
    state.process().budget().hold(room);  // leaves one communicator in the budget
    Tuning(ranks.get()).force("allreduce", "leaders(G=2, leaders(size=2, binomial, binomial), ring)");
    std::vector<int> in(10, 1), out(10);
    EXPECT_EQ(allreduce(in.data(), out.data(), 10, MPI_INT, MPI_SUM, ranks.get()), MPI_SUCCESS);
    EXPECT_EQ(out, std::vector<int>(10, 4));
    EXPECT_EQ(state.own().split_counters().splits, 0);
    EXPECT_GT(state.own().split_counters().translated, 0);

    // Native phases need a communicator: the recipe is refused, alike on all ranks.
    Tuning(ranks.get()).force("allreduce", "leaders(G=2, native, native)", 0, Tuning::no_limit, false);
    EXPECT_EQ(allreduce(in.data(), out.data(), 10, MPI_INT, MPI_SUM, ranks.get()), MPI_SUCCESS);
    EXPECT_EQ(out, std::vector<int>(10, 4));
    EXPECT_EQ(state.plans().all().begin()->second.choice.source, Source::refused);
    state.process().budget().hold(-room);
}

constexpr PlanKey sum_of_ten_ints{.collective = Collective::allreduce,
                                  .in_order = false,
                                  .exact = true,
                                  .root = 0,
                                  .element_size = sizeof(int),
                                  .count = 10};

// A challenger of a trial made two communicators for its parts before it had served a call.
TEST(Cache, WhatIsOnlyTriedMakesCommunicatorsForNativePhasesAlone) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    const PlanKey& key = sum_of_ten_ints;
    const auto tried = Recipe::parse("leaders(G=2, leaders(size=2, binomial, binomial), ring)");
    state.own().provide(tried, key, PrivateCommunicator::Purpose::trial);
    EXPECT_TRUE(state.own().is_provided(tried, key));
    EXPECT_EQ(state.own().split_counters().splits, 0);
    EXPECT_EQ(state.own().missing_communicators(tried, key.collective), 0);
    const auto native = Recipe::parse("leaders(G=2, native, ring)");
    EXPECT_FALSE(state.own().is_provided(native, key));
    EXPECT_EQ(state.own().missing_communicators(native, key.collective), 2);

    std::vector<int> in(10, 1), out(10);
    for (const Recipe& recipe : {tried, native, tried, native}) {
        Tuning(ranks.get()).force("allreduce", to_string(recipe));
        EXPECT_EQ(allreduce(in.data(), out.data(), 10, MPI_INT, MPI_SUM, ranks.get()), MPI_SUCCESS);
        EXPECT_EQ(out, std::vector<int>(10, 4));
        EXPECT_EQ(state.plans().all().begin()->second.choice.source, Source::hint) << to_string(recipe);
    }
    EXPECT_TRUE(state.own().is_provided(native, key));
    EXPECT_EQ(state.own().lack(native, key.collective), "");
    EXPECT_GE(state.own().split_counters().splits, 2);
}

// A plan of a recipe on trial over a reserved route left the route: all ranks waited for each other, even in
// calls that do not synchronise, and made a communicator.
TEST(Cache, AToldRouteStaysWherePlansNeedNoMore) {
    const OwnWorld world;
    ToldRoutes routes(world);
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    int number = ranks.rank() == 0 ? routes.take().value() : -1;
    PMPI_Bcast(&number, 1, MPI_INT, 0, ranks.get());
    state.own().take_route(routes.route(ranks.get(), number));
    const PlanKey& key = sum_of_ten_ints;
    const int held = state.process().budget().held();
    for (const char* const recipe : {"ring", "leaders(G=2, binomial, ring)"}) {
        const auto tried = Recipe::parse(recipe);
        ASSERT_TRUE(state.own().provide_alone(tried, key)) << recipe;
        make_plan(state, key, {.recipe = tried, .source = Source::trial});
        EXPECT_EQ(state.own().route().comm, world.get()) << recipe;
    }
    // Trials of calls that synchronise made a communicator first.
    const auto together = Recipe::parse("leaders(size=2, ring, binomial)");
    EXPECT_EQ(state.own().missing_communicators(together, key.collective), 0);
    state.own().provide(together, key, PrivateCommunicator::Purpose::trial);
    EXPECT_TRUE(state.own().is_provided(together, key));
    EXPECT_EQ(state.own().route().comm, world.get());
    EXPECT_EQ(state.process().budget().held(), held);

    // A recipe in use needs no more communicators than a recipe on trial.
    const auto used = Recipe::parse("leaders(G=3, binomial, ring)");
    Tuning(ranks.get()).force("allreduce", to_string(used));
    std::vector<int> in(10, 1), out(10);
    EXPECT_EQ(allreduce(in.data(), out.data(), 10, MPI_INT, MPI_SUM, ranks.get()), MPI_SUCCESS);
    EXPECT_EQ(out, std::vector<int>(10, ranks.size()));
    EXPECT_EQ(state.own().route().comm, world.get());

    // A recipe with native phases needs communicators, which the route does not offer. If the budget is
    // spent, the route stays.
    const auto native = Recipe::parse("leaders(size=2, native, ring)");
    const int room = state.process().budget().most() - held;
    state.process().budget().hold(room);
    state.own().provide(native, key);
    EXPECT_NE(state.own().lack(native, key.collective), "");
    EXPECT_EQ(state.own().route().comm, world.get());
    state.process().budget().hold(-room);
    state.own().provide(native, key);
    EXPECT_EQ(state.own().lack(native, key.collective), "");
    EXPECT_NE(state.own().route().comm, world.get());
    // Plans made over the route were forgotten: calls that do not synchronise were native until the next call
    // that does.
    for (const Recipe& recipe : {together, used, native}) {
        EXPECT_TRUE(state.own().is_provided(recipe, key)) << to_string(recipe);
        Tuning(ranks.get()).force("allreduce", to_string(recipe));
        out.assign(10, 0);
        EXPECT_EQ(allreduce(in.data(), out.data(), 10, MPI_INT, MPI_SUM, ranks.get()), MPI_SUCCESS);
        EXPECT_EQ(out, std::vector<int>(10, ranks.size())) << to_string(recipe);
    }
}

// A call whose trial was impossible was noted as native for good. Calls with user-made types ignore the note:
// ranks with them went on trying alone.
TEST(Cache, CallsGoOnBeingTriedWhereOneOfThoseThatAreCannotServe) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    Budget& budget = state.process().budget();
    const int room = budget.most() - budget.held() - 1;
    budget.hold(room);  // leaves one communicator in the budget
    Tuning(ranks.get()).trials("allreduce", 50);
    Tuner& tuner = Tuner::of(state);
    CallState& calls = tuner.calls()[tuner.classes().of(sum_of_ten_ints)];
    calls.key = sum_of_ten_ints;
    take(tuner,
         {.key = sum_of_ten_ints,
          .arms = {Recipe(), Recipe::parse("leaders(G=2, native, native)")},
          .agenda = {.challenger = 1, .warm = 1, .rounds = 1}},
         true);
    const auto refused = [&] {
        const auto& plans = state.plans().all();
        return std::any_of(plans.begin(), plans.end(),
                           [](const auto& plan) { return plan.second.choice.source == Source::refused; });
    };
    std::vector<int> in(10, 1), out(10);
    for (int i = 0; i < 1000 && !refused(); ++i) {
        allreduce(in.data(), out.data(), 10, MPI_INT, MPI_SUM, ranks.get());
        EXPECT_EQ(out, std::vector<int>(10, 4));
    }
    EXPECT_TRUE(refused());
    budget.hold(-room);
}

// A recipe without native phases was tried within groups that have communicators. Then a recipe with native
// phases made these communicators anew, again and again.
TEST(Cache, WhatIsTriedBelowCommunicatorsLeavesThem) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    const PlanKey& key = sum_of_ten_ints;
    const auto native = Recipe::parse("leaders(ranks=0-2;3, native, ring)"),
               tried = Recipe::parse("leaders(ranks=0-2;3, leaders(size=2, binomial, binomial), ring)");
    state.own().provide(native, key, PrivateCommunicator::Purpose::trial);
    const auto splits = state.own().split_counters().splits;
    EXPECT_GE(splits, 2);
    for (int turn = 0; turn < 2; ++turn) {
        EXPECT_TRUE(state.own().is_provided(native, key));
        state.own().provide(tried, key, PrivateCommunicator::Purpose::trial);
        EXPECT_TRUE(state.own().is_provided(tried, key));
        EXPECT_TRUE(state.own().is_provided(native, key)) << "it has its communicators still";
        state.own().provide(native, key, PrivateCommunicator::Purpose::trial);
    }
    EXPECT_EQ(state.own().split_counters().splits, splits);
}

TEST(Cache, OldDivisionsMakeRoomForNewOnes) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    State& state = *State::of(ranks.get());
    const int room = state.process().budget().most() - state.process().budget().held() - 3;
    state.process().budget().hold(room);  // enough for the private communicator and one division
    int in = 1, out = 0;
    for (const char* recipe : {"leaders(G=2, binomial, binomial)", "leaders(G=3, binomial, binomial)",
                               "leaders(G=2, binomial, binomial)"}) {
        Tuning(ranks.get()).force("allreduce", recipe);
        EXPECT_EQ(allreduce(&in, &out, 1, MPI_INT, MPI_SUM, ranks.get()), MPI_SUCCESS);
        EXPECT_EQ(out, 4);
    }
    EXPECT_EQ(state.own().split_counters().splits, 6);
    EXPECT_EQ(state.own().split_counters().translated, 0);
    EXPECT_LE(state.process().budget().held(), state.process().budget().most());
    state.process().budget().hold(-room);
}

TEST(Cache, ADuplicateStartsAnew) {
    const FirstRanks ranks(3);
    if (!ranks) return;
    Tuning(ranks.get()).force("allreduce", "ring");
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(ranks.get(), &copy);
    EXPECT_EQ(Tuning(copy).would_run("allreduce", 8).recipe, "native");
    EXPECT_EQ(Tuning(ranks.get()).would_run("allreduce", 8).recipe, "ring");
    MPI_Comm_free(&copy);
}

TEST(Cache, RanksThatSitAlikeShareADecider) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    const Comm owner(copy);
    const auto profile = std::make_shared<const Profile>();
    if (!State::of(MPI_COMM_WORLD)->serves()) return;
    const std::vector<Tuner*> tuners{&Tuner::of(*State::of(MPI_COMM_WORLD)), &Tuner::of(*State::of(copy))};
    for (Tuner* const tuner : tuners) tuner->set_profile(profile);
    EXPECT_EQ(&tuners[0]->machine().advisor()->decider(), &tuners[1]->machine().advisor()->decider());

    const Comm half = Comm::split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0);
    if (State* const served = State::of(half.get()); served->serves()) {
        Tuner& smaller = Tuner::of(*served);
        smaller.set_profile(profile);
        EXPECT_NE(&smaller.machine().advisor()->decider(), &tuners[0]->machine().advisor()->decider())
            << "other ranks";
    }
    tuners[1]->set_profile(std::make_shared<const Profile>());
    EXPECT_NE(&tuners[0]->machine().advisor()->decider(), &tuners[1]->machine().advisor()->decider())
        << "another profile";
    tuners[0]->set_profile(nullptr);
}

int copies = 0;

TEST(Cache, TheUsersAttributeCallbacksDoNotRun) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(
        [](MPI_Comm, int, void*, void*, void*, int* flag) {
            ++copies;
            *flag = 0;
            return MPI_SUCCESS;
        },
        MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
    MPI_Comm_set_attr(ranks.get(), keyval, nullptr);
    Tuning(ranks.get()).force("allreduce", "leaders(G=2, binomial, ring)");
    int in = 1, out = 0;
    allreduce(&in, &out, 1, MPI_INT, MPI_SUM, ranks.get());
    EXPECT_EQ(copies, 0);
    MPI_Comm_delete_attr(ranks.get(), keyval);
    MPI_Comm_free_keyval(&keyval);
}

TEST(Cache, CommunicatorsComeAndGoWithTheUsers) {
    const int before = Process::instance()->budget().held();
    for (int i = 0; i < 300; ++i) {
        const FirstRanks ranks(3);
        if (!ranks) continue;
        Tuning(ranks.get()).force("allreduce", "leaders(G=2, binomial, ring)");
        int in = 1, out = 0;
        allreduce(&in, &out, 1, MPI_INT, MPI_SUM, ranks.get());
        EXPECT_EQ(out, 3);
    }
    EXPECT_EQ(Process::instance()->budget().held(), before);
}

TEST(Cache, StaysAliveUntilFinalize) {
    // The program never frees the communicator: MPI_Finalize must cope, and valgrind must not see a leak.
    Tuning(MPI_COMM_WORLD).force("allreduce", "lanes(G=2, ring, ring)");
    int in = 1, out = 0, size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(out, size);
}

}  // namespace
}  // namespace echelon
