// SPDX-License-Identifier: Apache-2.0
/// Every recipe of a broad list against the MPI library's own result, on 1 to 8 ranks.
#include "flat/algorithm.hpp"
#include "support/kinds.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <echelon/echelon.hpp>
#include <numeric>
#include <random>
#include <span>
#include <thread>

namespace echelon {
namespace {

/// These, and every algorithm of the catalog as it is by default.
std::vector<std::string> with_all_rows(Collective collective, std::vector<std::string> recipes) {
    for (const Algorithm& row : catalog())
        if (row.collective == collective &&
            std::find(recipes.begin(), recipes.end(), row.name) == recipes.end())
            recipes.emplace_back(row.name);
    return recipes;
}

const std::vector<std::string> reduce_recipes = with_all_rows(
    Collective::reduce,
    {"flat_tree", "chain(seg=16)", "binary(seg=24)", "in_order_binary(seg=16)", "binomial", "knomial(k=3)",
     "rabenseifner", "ring", "leaders(sqrt, binomial, binomial)", "leaders(G=2, chain(seg=8), rabenseifner)",
     "leaders(size=3, native, binomial)", "leaders(size=3, binomial, native)",
     "leaders(ranks=0+2+4+6;1+3+5+7, binomial, binomial)", "lanes(size=2, ring, binomial)",
     "lanes(size=3, native, native)", "positions(size=2, ring, binomial)",
     "leaders(size=3, binomial, binomial, seg=16)", "lanes(size=2, halving+binomial, flat_tree, seg=32)"});
const std::vector<std::string> allreduce_recipes = with_all_rows(
    Collective::allreduce,
    {"linear", "reduce_bcast(seg=16)", "recursive_doubling", "rabenseifner", "ring", "segmented_ring(seg=8)",
     "binomial+chain(seg=16)", "leaders(sqrt, binomial, ring)", "leaders(size=3, native, native)",
     "leaders(G=3, rabenseifner+binomial, recursive_doubling)", "positions(size=2, ring, ring)",
     "positions(size=3, native, recursive_doubling)", "lanes(size=2, ring, ring)",
     "lanes(size=3, halving+doubling, native)", "lanes(sqrt, native, rabenseifner)",
     "leaders(size=2, binomial, leaders(size=2, binomial, ring))", "leaders(size=3, binomial, ring, seg=16)",
     "lanes(size=2, ring, recursive_doubling, seg=32)", "positions(sqrt, ring, ring, seg=16)"});
const std::vector<std::string> bcast_recipes = with_all_rows(
    Collective::bcast, {"flat_tree", "chain(seg=16)", "binary(seg=24)", "binomial", "knomial(k=3)",
                        "scatter_allgather", "leaders(sqrt, binomial, binomial)",
                        "leaders(size=3, native, chain(seg=8))", "positions(size=3, binomial, binomial)",
                        "lanes(size=2, ring, binomial)", "lanes(size=3, native, native)",
                        "leaders(size=2, binomial, binomial, seg=8)", "lanes(sqrt, ring, binomial, seg=16)"});

class Collectives : public testing::TestWithParam<int> {};

TEST_P(Collectives, AllreduceEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    for (const auto& recipe : allreduce_recipes) {
        if (ranks.size() > 1) force(ranks.get(), "allreduce", recipe, ranks.size());
        for (const Kind& kind : kinds.in_turn(ranks.size(), int(&recipe - allreduce_recipes.data())))
            for (const std::size_t count :
                 {std::size_t(0), std::size_t(1), std::size_t(ranks.size() + 1), std::size_t(50)}) {
                const auto in = buffer(kind, count, ranks.rank());
                auto expected = buffer(kind, count, -1), got = expected, in_place = in,
                     expected_in_place = in;
                MPI_Allreduce(in.data(), expected.data(), int(count), kind.type, kind.op, ranks.get());
                MPI_Allreduce(MPI_IN_PLACE, expected_in_place.data(), int(count), kind.type, kind.op,
                              ranks.get());
                EXPECT_EQ(allreduce(in.data(), got.data(), MPI_Count(count), kind.type, kind.op, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(allreduce(MPI_IN_PLACE, in_place.data(), MPI_Count(count), kind.type, kind.op,
                                    ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(got, expected) << recipe << ", " << kind.label << ", count " << count;
                EXPECT_EQ(in_place, expected_in_place)
                    << recipe << " in place, " << kind.label << ", count " << count;
            }
    }
}

TEST_P(Collectives, ReduceEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    for (const auto& recipe : reduce_recipes) {
        if (ranks.size() > 1) force(ranks.get(), "reduce", recipe, ranks.size());
        for (const Kind& kind : kinds.in_turn(ranks.size(), int(&recipe - reduce_recipes.data())))
            for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(37)})
                for (int root = 0; root < ranks.size(); root += 2) {
                    const bool at_root = ranks.rank() == root;
                    const auto in = buffer(kind, count, ranks.rank());
                    const auto untouched = in;
                    auto expected = buffer(kind, count, -1), got = expected, in_place = in,
                         expected_in_place = in;
                    MPI_Reduce(in.data(), expected.data(), int(count), kind.type, kind.op, root, ranks.get());
                    EXPECT_EQ(reduce(in.data(), at_root ? got.data() : nullptr, MPI_Count(count), kind.type,
                                     kind.op, root, ranks.get()),
                              MPI_SUCCESS);
                    EXPECT_EQ(in, untouched) << recipe;
                    if (at_root) {
                        MPI_Reduce(MPI_IN_PLACE, expected_in_place.data(), int(count), kind.type, kind.op,
                                   root, ranks.get());
                        reduce(MPI_IN_PLACE, in_place.data(), MPI_Count(count), kind.type, kind.op, root,
                               ranks.get());
                        EXPECT_EQ(got, expected)
                            << recipe << ", " << kind.label << ", count " << count << ", root " << root;
                        EXPECT_EQ(in_place, expected_in_place) << recipe << " in place, " << kind.label
                                                               << ", count " << count << ", root " << root;
                    } else {
                        MPI_Reduce(in.data(), nullptr, int(count), kind.type, kind.op, root, ranks.get());
                        reduce(in.data(), nullptr, MPI_Count(count), kind.type, kind.op, root, ranks.get());
                    }
                }
    }
}

TEST_P(Collectives, BcastEqualsTheRootsBuffer) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    for (const auto& recipe : bcast_recipes) {
        if (ranks.size() > 1) force(ranks.get(), "bcast", recipe, ranks.size());
        for (const Kind& kind : kinds.in_turn(ranks.size(), int(&recipe - bcast_recipes.data())))
            for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(37)})
                for (int root = 0; root < ranks.size(); ++root) {
                    const auto expected = buffer(kind, count, root);
                    auto data = buffer(kind, count, ranks.rank() == root ? root : -1);
                    EXPECT_EQ(bcast(data.data(), MPI_Count(count), kind.type, root, ranks.get()),
                              MPI_SUCCESS);
                    EXPECT_EQ(data, expected)
                        << recipe << ", " << kind.label << ", count " << count << ", root " << root;
                }
    }
}

TEST_P(Collectives, BcastMayUseOtherTypesForTheSameBytes) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    MPI_Type_vector(12, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    for (const auto& recipe : bcast_recipes) {
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
    for (const auto& recipe : allreduce_recipes) {
        const Algorithm* const row = find_algorithm(Collective::allreduce, recipe);
        if (recipe.find("native") != std::string::npos || (row != nullptr && row->exact_operations_only))
            continue;  // the library serves these, and it is not ours to promise
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

/// Also where the library serves a part of it: a reduce, a bcast or what these are made of, of nothing.
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
            // All ranks of this test share the machine's clock: nobody may leave before the last has come.
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
