// SPDX-License-Identifier: Apache-2.0
/// A repeated call allocates nothing, splits nothing, and sends the messages of its plan.
#include "mpi/next.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/communicators.hpp"
#include "tuner/plan_for.hpp"
#include "tuner/tuner.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>

namespace echelon {
namespace {

long sent = 0;

int counting_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    ++sent;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int counting_blocking_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    ++sent;
    return PMPI_Send(data, count, type, to, tag, comm);
}

/// Counts the sends of a scope.
struct Counting {
    Counting() { next.Isend = counting_send, next.Send = counting_blocking_send; }
    ~Counting() { next.Isend = PMPI_Isend, next.Send = PMPI_Send; }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
};

struct Counts {
    long allocations, splits, plans_made, sent;
    friend bool operator==(const Counts&, const Counts&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Counts& counts) {
        return out << counts.allocations << " allocations, " << counts.splits << " splits, "
                   << counts.plans_made << " plans made, " << counts.sent << " messages";
    }
};

template <class Call>
Counts repeated(MPI_Comm comm, int times, Call&& call) {
    const State& state = *State::of(comm);
    call();
    const Counts before{test::allocations, state.own().split_counters().splits, state.plans().made(), sent};
    for (int i = 0; i < times; ++i) call();
    return {test::allocations - before.allocations, state.own().split_counters().splits - before.splits,
            state.plans().made() - before.plans_made, sent - before.sent};
}

struct RepeatedCall : testing::TestWithParam<const char*> {};

TEST_P(RepeatedCall, costs_its_messages_alone) {
    constexpr int times = 5, count = 1000;
    const FirstRanks ranks(4);
    ASSERT_TRUE(ranks);
    MPI_Comm comm = ranks.get();
    const Counting counting;
    std::vector<double> in(count, 1), out(count);
    Tuning tuning(comm);
    const auto check = [&](const char* collective, auto&& call) {
        tuning.force(collective, GetParam());
        const Counts counts = repeated(comm, times, call);
        const auto& plans = State::of(comm)->plans().all();
        ASSERT_EQ(plans.size(), 1u);
        const Plan& plan = plans.begin()->second;
        EXPECT_FALSE(plan.native());
        // The MPI library determines the messages of native phases.
        const long messages = plan.phase.uses_native() ? counts.sent : times * long(plan.messages);
        EXPECT_EQ(counts, (Counts{0, 0, 0, messages})) << collective;
    };
    check("allreduce", [&] { allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, comm); });
    check("reduce", [&] { reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, 1, comm); });
    check("bcast", [&] { bcast(in.data(), count, MPI_DOUBLE, 2, comm); });
}

INSTANTIATE_TEST_SUITE_P(Recipes, RepeatedCall,
                         testing::Values("chain(seg=1K)", "binomial", "ring",
                                         "leaders(sqrt, binomial, binomial)",
                                         "leaders(sqrt, native, binomial)", "lanes(sqrt, ring, binomial)",
                                         "leaders(sqrt, binomial, binomial, seg=2K)"));

TEST(RepeatedCall, native_costs_nothing) {
    const FirstRanks ranks(4);
    ASSERT_TRUE(ranks);
    double in = 1, out = 0;
    const Counting counting;
    const auto call = [&] { allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, ranks.get()); };
    EXPECT_EQ(repeated(ranks.get(), 5, call), (Counts{0, 0, 0, 0}));
    EXPECT_EQ(State::of(ranks.get())->own().split_counters().splits, 0);
}

TEST(RepeatedCall, native_by_a_plan_is_looked_at_again_when_plans_may_change) {
    const FirstRanks ranks(4);
    ASSERT_TRUE(ranks);
    MPI_Comm comm = ranks.get();
    double in = 1, out = 0;
    Tuning tuning(comm);
    State& state = *State::of(comm);
    const auto becomes_known = [&](MPI_Datatype type) {
        tuning.force("allreduce", "native");
        const PassedCall passed{Collective::allreduce, type, MPI_SUM, 1, 0};
        EXPECT_FALSE(state.plans().repeats_native(passed));
        allreduce(&in, &out, 1, type, MPI_SUM, comm);
        return state.plans().repeats_native(passed);
    };
    const auto runs_natively = [&] {
        allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, comm);
        EXPECT_EQ(out, 4);
        return state.plans().all().begin()->second.native();
    };
    EXPECT_TRUE(becomes_known(MPI_DOUBLE));
    EXPECT_TRUE(runs_natively());
    tuning.force("allreduce", "ring");
    EXPECT_FALSE(runs_natively()) << "a recipe was forced";

    EXPECT_TRUE(becomes_known(MPI_DOUBLE));
    const Override instead{1, Recipe::parse("ring")};
    Tuner::of(state).measure(&instead);
    EXPECT_FALSE(state.plans().repeats_native({Collective::allreduce, MPI_DOUBLE, MPI_SUM, 1, 0}));
    Tuner::of(state).measure(nullptr);

    // A call that does not synchronise has left a pending decision, which this call must look at.
    EXPECT_TRUE(becomes_known(MPI_DOUBLE));
    Tuner::of(state).wait_for_parts(Recipe::parse("ring"), call_of(Collective::bcast, 64));
    EXPECT_TRUE(Tuner::of(state).mail().open);
    EXPECT_TRUE(runs_natively());
    EXPECT_FALSE(Tuner::of(state).mail().open);

    // The handle of a freed type may be reused for another type.
    MPI_Datatype own = MPI_DATATYPE_NULL;
    MPI_Type_dup(MPI_DOUBLE, &own);
    tuning.force("bcast", "native", 0, 1024);
    bcast(&in, 1, own, 0, comm);
    EXPECT_FALSE(state.plans().repeats_native({Collective::bcast, own, MPI_OP_NULL, 1, 0}));
    bcast(&in, 1, MPI_DOUBLE, 0, comm);
    EXPECT_TRUE(state.plans().repeats_native({Collective::bcast, MPI_DOUBLE, MPI_OP_NULL, 1, 0}));
    MPI_Type_free(&own);
}

}  // namespace
}  // namespace echelon
