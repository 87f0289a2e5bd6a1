// SPDX-License-Identifier: Apache-2.0
/// Every algorithm of the catalog and recipes of shapes against the MPI library's own result, on 1 to 8
/// ranks. (reduce_scatter in place overwrote the rest of its receive buffer.)
#include "flat/algorithm.hpp"
#include "support/as_native.hpp"
#include "support/communicators.hpp"

#include <gtest/gtest.h>
#include <chrono>
#include <cstring>
#include <echelon/echelon.hpp>
#include <numeric>
#include <random>
#include <set>
#include <thread>

namespace echelon {
namespace {

class Collectives : public testing::TestWithParam<int> {};

/// Compares for all kinds and counts, from some roots. Afterwards the recipe must have run if it serves this
/// number of ranks.
TEST_P(Collectives, GiveWhatTheLibraryGives) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const int p = ranks.size();
    const Kinds kinds;
    for (const Collective collective : all_collectives) {
        int turn = 0;
        for (const auto& recipe : recipes_of(collective)) {
            if (collective == Collective::barrier) continue;
            const testing::ScopedTrace trace(__FILE__, __LINE__, recipe + " on " + std::to_string(p));
            bool serves = false;
            if (p > 1) {
                force(ranks.get(), name(collective).data(), recipe, p);
                const WouldRun would = Tuning(ranks.get()).would_run(name(collective), 64);
                const Algorithm* const row = find_algorithm(collective, recipe);
                serves = would.phases != std::string(name(collective)) + " native" ||
                         (row != nullptr && row->exact_operations_only);  // would_run() ignores these
            }
            EXPECT_TRUE(serves || p < most_ranks);
            std::set<std::size_t> counts{0, 3};
            if (!in_blocks(collective)) counts.insert({1, std::size_t(p) + 1, 37});
            const int roots = rooted(collective) ? p : 1, step = p > 4 ? 3 : 1;
            for (const Kind& kind : kinds.in_turn(p, turn++))
                for (const std::size_t count : counts)
                    for (int root = 0; root < roots; root += step)
                        expect_as_native(ranks.get(), collective, kind, count, root);
            expect_as_native(ranks.get(), collective, kinds.in_turn(most_ranks, 0).front(), 3, 0);
            EXPECT_EQ(ran(ranks.get(), collective), serves);
        }
    }
}

TEST_P(Collectives, BcastMayUseOtherTypesForTheSameBytes) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    MPI_Type_vector(12, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    for (const auto& recipe : recipes_of(Collective::bcast)) {
        if (ranks.size() > 1) force(ranks.get(), "bcast", recipe, ranks.size());
        std::vector<int> data(24, -1);
        if (ranks.rank() == 0) {
            std::iota(data.begin(), data.end(), 0);
            bcast(data.data(), 1, every_other, 0, ranks.get());
        } else {
            bcast(data.data(), 12, MPI_INT, 0, ranks.get());
            for (int i = 0; i < 12; ++i) EXPECT_EQ(data[std::size_t(i)], 2 * i) << recipe;
            EXPECT_EQ(data[12], -1) << recipe;
        }
    }
    MPI_Type_free(&every_other);
}

TEST_P(Collectives, FloatsHaveTheSameBitsOnAllRanks) {
    const FirstRanks ranks(GetParam());
    if (!ranks || ranks.size() == 1) return;
    std::vector<float> in(40);
    std::mt19937 random(unsigned(ranks.rank()) + 1);
    std::uniform_real_distribution<float> number(-1, 1);
    for (float& value : in) value = number(random);
    for (const auto& recipe : recipes_of(Collective::allreduce)) {
        const Algorithm* const row = find_algorithm(Collective::allreduce, recipe);
        if (recipe.find("native") != std::string::npos || (row != nullptr && row->exact_operations_only))
            continue;  // the result is the MPI library's
        force(ranks.get(), "allreduce", recipe, ranks.size());
        std::vector<float> out(in.size()), again(in.size());
        allreduce(in.data(), out.data(), MPI_Count(in.size()), MPI_FLOAT, MPI_SUM, ranks.get());
        allreduce(in.data(), again.data(), MPI_Count(in.size()), MPI_FLOAT, MPI_SUM, ranks.get());
        EXPECT_EQ(std::memcmp(out.data(), again.data(), out.size() * sizeof(float)), 0) << recipe;
        std::vector<float> all(in.size() * std::size_t(ranks.size()));
        MPI_Allgather(out.data(), int(out.size()), MPI_FLOAT, all.data(), int(out.size()), MPI_FLOAT,
                      ranks.get());
        for (int r = 1; r < ranks.size(); ++r)
            EXPECT_EQ(
                std::memcmp(all.data(), all.data() + std::size_t(r) * out.size(), out.size() * sizeof(float)),
                0)
                << recipe << ", rank " << r;
    }
}

/// The barrier must also hold if the MPI library serves a part of it: a reduce or a bcast of no elements.
TEST_P(Collectives, BarrierWaitsForAll) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    for (const char* recipe :
         {"dissemination", "leaders(size=2, binomial, dissemination)", "leaders(size=3, native, native)",
          "leaders(size=4, lanes(size=2, native, ring), native)",
          "leaders(size=4, lanes(size=2, ring, native), dissemination)",
          "leaders(size=4, positions(size=2, native, native), native)",
          "leaders(size=4, binomial+lanes(size=2, native, native), dissemination)"}) {
        if (ranks.size() > 1) force(ranks.get(), "barrier", recipe, ranks.size());
        for (int late = 0; late < ranks.size(); ++late) {
            // All ranks of this test share the machine's clock: no rank may leave before the last one has
            // arrived.
            const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch().count(); };
            if (ranks.rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            const long long came = now();
            EXPECT_EQ(barrier(ranks.get()), MPI_SUCCESS);
            const long long left = now();
            long long last_came = 0;
            MPI_Allreduce(&came, &last_came, 1, MPI_LONG_LONG, MPI_MAX, ranks.get());
            EXPECT_LE(last_came, left) << recipe << ", rank " << late << " late";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Collectives, testing::Range(1, most_ranks + 1));

}  // namespace
}  // namespace echelon
