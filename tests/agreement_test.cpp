// SPDX-License-Identifier: Apache-2.0
/// Each rank judged from its own view if it took part in an agreement: nested recipes over uneven groups
/// hung, because a rank of a small group has nothing to divide. The recipes of this test are drawn from the
/// grammar.
#include "groups/layout.hpp"
#include "mpi/quirks.hpp"
#include "tests/support/communicators.hpp"
#include "tuner/mail.hpp"
#include "tuner/requests.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>

#include <random>

namespace echelon {
namespace {

/// Random draws, equal on all ranks.
class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    int below(int end) { return int(random_() % unsigned(end)); }

    std::string recipe(int levels, int p) {
        if (levels == 0 || below(4) == 0) return one_of({"native", "binomial", "ring", "flat_tree"});
        const std::string shape = one_of({"leaders", "leaders", "positions", "lanes"});
        return shape + '(' + groups(p) + ", " + recipe(levels - 1, p) + ", " + recipe(levels - 1, p) + ')';
    }

private:
    std::string one_of(const std::vector<std::string>& words) {
        return words[std::size_t(below(int(words.size())))];
    }
    std::string groups(int p) {
        const std::string number = std::to_string(1 + below(p));
        return one_of({"sqrt", "G=" + number, "size=" + number, "size=" + number, "node"});
    }
    std::mt19937 random_;
};

/// Checks sums and broadcasts of `count` numbers, with every rank as the root.
void check_results(MPI_Comm comm, int rank, int p, int count, const std::string& what) {
    const std::size_t n = std::size_t(count);
    std::vector<int> in(n), out(n), sums(n);
    for (int i = 0; i < count; ++i) {
        in[std::size_t(i)] = rank + i;
        sums[std::size_t(i)] = p * i + p * (p - 1) / 2;
    }
    allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(out, sums) << what;
    for (int root = 0; root < p; ++root) {
        reduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, root, comm);
        if (rank == root) {
            EXPECT_EQ(out, sums) << what;
        }
        std::vector<int> told = rank == root ? sums : std::vector<int>(n, -1);
        bcast(told.data(), count, MPI_INT, root, comm);
        EXPECT_EQ(told, sums) << what;
    }
    barrier(comm);
}

long calls_of_shapes(const State& state) {
    long shapes = 0;
    for (const auto& [key, plan] : state.plans().all()) shapes += plan.phase.groups ? 1 : 0;
    return shapes;
}

TEST(Agreement, nested_recipes_over_uneven_groups) {
    int world = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    long shapes = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        Draw draw(seed);
        const int p = 2 + draw.below(world - 1), count = 1 + draw.below(100);
        const FirstRanks ranks(p);
        if (!ranks) continue;
        const std::string recipe = draw.recipe(3, p);
        Tuning tuning(ranks.get());
        for (const char* collective : {"allreduce", "reduce", "bcast", "barrier"}) try {
                tuning.force(collective, recipe, 0, Tuning::no_limit, false);
            } catch (const TuningError&) {  // the recipe can never serve this collective here
            }
        check_results(ranks.get(), ranks.rank(), p, count,
                      "seed " + std::to_string(seed) + ", " + recipe + " on " + std::to_string(p));
        shapes += calls_of_shapes(*State::known(ranks.get()));
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        EXPECT_GT(shapes, 100) << "too few recipes with groups ran";
    }
}

/// The first two recipes that hung.
TEST(Agreement, one_rank_alone_in_its_group) {
    const FirstRanks ranks(5);
    if (!ranks) return;
    for (const char* recipe : {"leaders(size=4, leaders(size=2, binomial, binomial), binomial)",
                               "leaders(size=4, leaders(size=2, native, binomial), binomial)"}) {
        Tuning(ranks.get()).force("allreduce", recipe);
        for (int count = 1; count < 50; count += 7)
            check_results(ranks.get(), ranks.rank(), 5, count, recipe);
    }
    // The call is refused on all ranks, though one of them has no native phase.
    Tuning(ranks.get()).force("allreduce", "leaders(size=4, binomial, binomial)", 0, Tuning::no_limit, false);
    EXPECT_THROW(
        Tuning(ranks.get())
            .force("allreduce", "leaders(size=4, leaders(size=2, native, binomial), binomial, seg=64)"),
        TuningError);
    check_results(ranks.get(), ranks.rank(), 5, 10, "after a refusal");
}

/// Profile in which messages cost `alpha` + `beta` per byte and one recipe is faster than native. Its machine
/// may differ from rank to rank.
std::shared_ptr<const Profile> profile_of(State& state, double alpha, double beta) {
    const std::string layout = layout_of(state.own().placement(true, true));
    Profile profile;
    profile.parameters.emplace();
    profile.parameters->machine = {.inside = Hockney{alpha, beta}, .between = Hockney{alpha, beta}};
    for (const Bytes bytes : {8, 65536})
        for (const Collective collective : {Collective::allreduce, Collective::bcast, Collective::reduce}) {
            const auto took = [&](const char* recipe, Seconds seconds) {
                profile.samples.push_back({.collective = collective,
                                           .p = state.size(),
                                           .layout = layout,
                                           .bytes = bytes,
                                           .recipe = Recipe::parse(recipe),
                                           .seconds = seconds});
            };
            took("native", 1);
            took(alpha < 1e-3 ? "leaders(G=2, binomial, binomial)" : "ring", 0.1);
        }
    return std::make_shared<const Profile>(std::move(profile));
}

/// Recipe of this rank's plan for calls of `bytes` bytes; "nothing" if there is no plan.
std::string runs(const State& state, Collective collective, std::size_t bytes) {
    for (const auto& [key, plan] : state.plans().all())
        if (key.collective == collective && key.count * key.element_size == bytes && key.variant == Variant{})
            return to_string(plan.choice.recipe);
    return "nothing";
}

void expect_alike(MPI_Comm comm, const std::string& text) {
    char own[128] = {}, first[128];
    text.copy(own, sizeof own - 1);
    std::copy(std::begin(own), std::end(own), std::begin(first));
    PMPI_Bcast(first, sizeof first, MPI_CHAR, 0, comm);
    EXPECT_EQ(std::string(own), std::string(first));
}

/// Every rank decided by itself in floating point: ranks whose processors round differently ran different
/// recipes. In this test even the models of the ranks differ.
TEST(Agreement, one_rank_decides_and_tells) {
    const FirstRanks ranks(6);
    if (!ranks) return;
    const Tuning tuning(ranks.get());
    State& state = *State::known(ranks.get());
    const bool patient = ranks.rank() % 2 == 0;
    Tuner::of(state).set_profile(profile_of(state, patient ? 1e-6 : 1e-2, patient ? 1e-6 : 1e-12));
    std::string all;
    for (int count = 2; count < 20000; count = count * 5 + 1) {
        const std::size_t n = std::size_t(count);
        std::vector<int> in(n, 1), out(n);
        for (int i = 0; i < 3; ++i) {
            allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, ranks.get());
            EXPECT_EQ(out, std::vector<int>(n, 6));
        }
        const std::string recipe = runs(state, Collective::allreduce, 4 * n);
        EXPECT_NE(recipe, "native") << "which takes a second by the profile";
        expect_alike(ranks.get(), recipe);
        all += recipe + ' ';
    }
    EXPECT_NE(all, "nothing ");
}

/// A call that does not synchronise stays native until the next call that does. From then on rank 0's
/// decision holds.
TEST(Agreement, calls_that_wait_for_nobody_are_decided_later) {
    const FirstRanks ranks(6);
    if (!ranks) return;
    const Tuning tuning(ranks.get());
    State& state = *State::known(ranks.get());
    Tuner::of(state).set_profile(profile_of(state, 1e-6, 1e-9));
    const auto call = [&](int root) {
        int value = ranks.rank() == root ? 7 : 0;
        bcast(&value, 1, MPI_INT, root, ranks.get());
        EXPECT_EQ(value, 7);
    };
    for (int root = 0; root < 6; ++root) call(root);
    EXPECT_EQ(state.plans().all().begin()->second.choice.source, Source::undecided);
    EXPECT_TRUE(Tuner::of(state).mail().open);
    EXPECT_EQ(state.own().split_counters().splits, 0);
    barrier(ranks.get());
    EXPECT_FALSE(Tuner::of(state).mail().open);
    const long splits = state.own().split_counters().splits;
    for (int root = 0; root < 6; ++root) call(root);
    EXPECT_NE(runs(state, Collective::bcast, sizeof(int)), "native");
    expect_alike(ranks.get(), runs(state, Collective::bcast, sizeof(int)));
    EXPECT_EQ(state.own().split_counters().splits, splits) << "all was made in the barrier, for every root";
    EXPECT_FALSE(Tuner::of(state).mail().open);
}

/// A hint holds from the first call on.
TEST(Agreement, what_is_forced_is_made_at_once) {
    const FirstRanks ranks(6);
    if (!ranks) return;
    Tuning tuning(ranks.get());
    const State& state = *State::known(ranks.get());
    for (const char* collective : {"bcast", "reduce", "gather", "scatter"})
        tuning.force(collective, "leaders(size=4, leaders(size=2, binomial, binomial), binomial)");
    const long splits = state.own().split_counters().splits;
    EXPECT_GT(splits, 0);
    int value = ranks.rank() == 3 ? 7 : 0;
    bcast(&value, 1, MPI_INT, 3, ranks.get());
    EXPECT_EQ(value, 7);
    std::vector<int> all(6);
    gather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, 5, ranks.get());
    for (const auto& [key, plan] : state.plans().all()) EXPECT_EQ(plan.choice.source, Source::hint);
    EXPECT_EQ(state.plans().all().size(), 2u);
    EXPECT_EQ(state.own().split_counters().splits, splits);
}

/// A call that lacks communicators is handled alike on all ranks, however few are left.
TEST(Agreement, few_communicators) {
    for (const int left : {0, 1, 2, 3, 5}) {
        const FirstRanks ranks(5);
        if (!ranks) continue;
        Process& process = *Process::instance();
        const int held = process.budget().most() - process.budget().held() - left;
        process.budget().hold(held);
        Tuning tuning(ranks.get());
        for (const char* recipe : {"leaders(size=4, leaders(size=2, native, binomial), binomial)",
                                   "leaders(size=2, binomial, leaders(size=2, binomial, native))"}) {
            for (const char* collective : {"allreduce", "reduce", "bcast"})
                tuning.force(collective, recipe, 0, Tuning::no_limit, false);
            check_results(ranks.get(), ranks.rank(), 5, 9, recipe + std::to_string(left));
        }
        process.budget().hold(-held);
    }
}

/// Calls stay native until rank 0's decision has arrived. No call waits for it.
class InPassing : public testing::Test {
protected:
    static void SetUpTestSuite() { Process::instance()->initialized(); }

    static constexpr int count = 5;
    const int members = size_of(MPI_COMM_WORLD);

    /// A class makes some native calls before rank 0 is asked.
    static void count_first(Tuner& tuner, const PlanKey& key, long calls) {
        CallState& state = tuner.calls()[tuner.classes().of(key)];
        state.key = key;
        state.counted = calls;
        state.grant(calls + 1);
    }
    State& with_profile(MPI_Comm comm = MPI_COMM_WORLD) const {
        const Tuning tuning(comm);
        State& state = *State::known(comm);
        Tuner::of(state).set_profile(profile_of(state, 1e-2, 1e-6));
        count_first(Tuner::of(state), key, 2);
        return state;
    }
    void call(MPI_Comm comm = MPI_COMM_WORLD) const {
        const std::vector<int> in(count, 1);
        std::vector<int> out(count);
        allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm);
        EXPECT_EQ(out, std::vector<int>(count, members));
    }
    static Source source(const State& state) { return state.plans().all().begin()->second.choice.source; }
    static std::string runs_here(const State& state) {
        return runs(state, Collective::allreduce, count * sizeof(int));
    }

    const PlanKey key{.collective = Collective::allreduce,
                      .in_order = false,
                      .exact = true,
                      .root = 0,
                      .element_size = sizeof(int),
                      .count = count};
};

/// A class with a decision whose second look rank 0 had postponed crashed when its counter ended.
TEST_F(InPassing, a_second_look_is_postponed) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    State& state = with_profile(comm);
    take(Tuner::of(state), {.key = key, .choice = {.recipe = Recipe::parse("ring"), .source = Source::model}},
         true);
    call(comm);
    take(Tuner::of(state), {.key = key, .later = 2}, true);
    CallState& calls = Tuner::of(state).calls().at(Tuner::of(state).classes().of(key));
    for (int i = 0; i < 2; ++i) {
        call(comm);
        EXPECT_EQ(runs_here(state), "ring") << i;
        EXPECT_FALSE(calls.asks);
    }
    call(comm);
    EXPECT_EQ(runs_here(state), "ring");
    EXPECT_TRUE(calls.asks);
    for (int i = 0; i < 9; ++i) call(comm);
    EXPECT_FALSE(calls.asks);
    MPI_Comm_free(&comm);
}

TEST_F(InPassing, the_answer_comes_two_calls_later) {
    State& state = with_profile();
    for (int i = 0; i < 2; ++i) {
        call();
        EXPECT_EQ(source(state), Source::built_in) << i;
        EXPECT_FALSE(Tuner::of(state).mail().down.under_way());
    }
    for (int i = 0; i < 2; ++i) {
        call();
        EXPECT_EQ(source(state), Source::undecided) << i;
        EXPECT_TRUE(Tuner::of(state).mail().down.under_way());
    }
    call();
    EXPECT_FALSE(Tuner::of(state).mail().down.under_way());
    EXPECT_EQ(source(state), Source::model);
    EXPECT_NE(runs_here(state), "native");
    expect_alike(MPI_COMM_WORLD, runs_here(state));
    call();
}

/// Calls of other classes also advance the asynchronous broadcast, even if they need no decision.
TEST_F(InPassing, other_calls_count) {
    std::vector<int> in(1000, 1), out(in.size());
    const auto call_other = [&] {
        allreduce(in.data(), out.data(), int(in.size()), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    };
    const auto wait_for_all = [] { barrier(MPI_COMM_WORLD); };
    for (const std::function<void()>& next : {std::function<void()>(call_other), {wait_for_all}}) {
        State& state = with_profile();
        PlanKey other = key;
        other.count = in.size();
        count_first(Tuner::of(state), other, 1000);
        for (int i = 0; i < 3; ++i) next();
        for (int i = 0; i < 3; ++i) call();
        EXPECT_TRUE(Tuner::of(state).mail().down.under_way());
        next();
        EXPECT_TRUE(Tuner::of(state).mail().down.under_way());
        next();
        EXPECT_FALSE(Tuner::of(state).mail().down.under_way());
    }
}

TEST_F(InPassing, who_tunes_has_it_at_once) {
    State& state = with_profile();
    for (int i = 0; i < 3; ++i) call();
    EXPECT_TRUE(Tuner::of(state).mail().down.under_way());
    const Tuning tuning(MPI_COMM_WORLD);  // completes the broadcast
    EXPECT_FALSE(Tuner::of(state).mail().down.under_way());
    call();
    EXPECT_EQ(source(state), Source::model);
}

TEST_F(InPassing, the_program_may_change_its_mind) {
    State& state = with_profile();
    for (int i = 0; i < 3; ++i) call();
    EXPECT_TRUE(Tuner::of(state).mail().down.under_way());
    Tuner::of(state).set_profile(nullptr);
    EXPECT_FALSE(Tuner::of(state).mail().down.under_way());
    for (int i = 0; i < 3; ++i) call();
    EXPECT_EQ(runs_here(state), "native");
}

/// Rank 0 had the route of a message that it had not told, and wrote letters that no rank expected.
TEST_F(InPassing, roots_tell_over_a_route_that_all_ranks_have) {
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(PMPI_Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    const Tuning tuning(copy);
    State& state = *State::known(copy);
    Tuner& tuner = Tuner::of(state);
    const auto bcast_from = [&](int root) {
        std::vector<int> data(count, rank_of(copy) == root ? 7 : 0);
        bcast(data.data(), count, MPI_INT, root, copy);
        EXPECT_EQ(data, std::vector<int>(count, 7));
    };
    if (chooses_native_only(tuner, Collective::bcast)) GTEST_SKIP() << "nothing is tried here";
    count_first(tuner, call_of(Collective::bcast, count * sizeof(int)), 1);
    for (int i = 0; i < 5; ++i) bcast_from(1);
    EXPECT_FALSE(tuner.mail().asked.empty());
    EXPECT_FALSE(state.own().has_route());
    EXPECT_FALSE(tuner.mail().letter.under_way());
    for (int i = 0; i < 3; ++i) bcast_from(0);
    EXPECT_TRUE(tuner.mail().asked.empty());
    for (int i = 0; i < 5; ++i) bcast_from(1);
    EXPECT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
}

/// The program frees the communicator natively: MPI libraries keep it until its pending operations are
/// complete.
TEST_F(InPassing, the_communicator_may_go_before) {
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(PMPI_Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    State& state = with_profile(copy);
    for (int i = 0; i < 3; ++i) call(copy);
    EXPECT_EQ(Tuner::of(state).mail().down.under_way(), !quirks::nonblocking_collectives_use_up_tags);
    EXPECT_EQ(PMPI_Comm_free(&copy), MPI_SUCCESS);
}

}  // namespace
}  // namespace echelon
