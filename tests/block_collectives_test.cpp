// SPDX-License-Identifier: Apache-2.0
/// The collectives in which every rank has a block, and the scans: every algorithm of the catalog and recipes
/// of shapes against the MPI library's own result, on 1 to 8 ranks.
#include "cache/state.hpp"
#include "mpi/quirks.hpp"
#include "support/communicators.hpp"
#include "support/kinds.hpp"

#include <echelon/echelon.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>
#include <echelon/echelon.hpp>
#include <limits>
#include <numeric>

namespace echelon {
namespace {

/// The algorithms of a collective, and shapes that serve it.
std::vector<std::string> recipes_of(Collective collective) {
    std::vector<std::string> recipes;
    for (const Algorithm& row : catalog())
        if (row.collective == collective) recipes.emplace_back(row.name);
    const auto and_also = [&](std::initializer_list<const char*> shapes) {
        recipes.insert(recipes.end(), shapes.begin(), shapes.end());
    };
    if (collective == Collective::allgather)
        and_also({"leaders(sqrt, binomial, ring)", "leaders(size=3, native, native)",
                  "leaders(ranks=0+2+4+6;1+3+5+7, linear+chain, circulant)",
                  "positions(size=3, ring, native)", "lanes(size=2, ring, doubling)",
                  "lanes(size=4, native, native)"});
    if (collective == Collective::gather || collective == Collective::scatter)
        and_also({"leaders(sqrt, binomial, linear)", "leaders(size=3, native, native)",
                  "leaders(ranks=0+2+4+6;1+3+5+7, linear, binomial)"});
    if (collective == Collective::reduce_scatter)
        and_also({"leaders(sqrt, binomial, halving)", "leaders(size=3, native, native)",
                  "leaders(ranks=0+2+4+6;1+3+5+7, chain, ring)", "lanes(size=2, ring, circulant)",
                  "lanes(size=4, native, native)"});
    if (collective == Collective::alltoall)
        and_also({"positions(size=2, linear, bruck)", "positions(size=4, native, native)",
                  "leaders(size=2, binomial, pairwise)", "leaders(size=4, native, native)",
                  "positions(ranks=0+2+4+6;1+3+5+7, pairwise, linear)",
                  "leaders(ranks=0+2+4+6;1+3+5+7, linear, linear)"});
    if (is_scan(collective))
        and_also({"leaders(sqrt, recursive_doubling+binomial, recursive_doubling)",
                  "leaders(size=3, native, native)",
                  "leaders(size=3, recursive_doubling+chain, recursive_doubling, seg=16)"});
    return recipes;
}

/// Whether one of our recipes ran this collective since it was forced.
bool ran(MPI_Comm comm, Collective collective) {
    const State* const state = State::known(comm);
    if (state == nullptr) return false;
    const auto& plans = state->plans().all();
    return std::any_of(plans.begin(), plans.end(), [&](const auto& plan) {
        return plan.first.collective == collective && !plan.second.native();
    });
}

/// Elements of `block` take the place of those of `vector` from element `at` on.
void place(std::vector<std::byte>& vector, const Kind& kind, std::size_t at,
           const std::vector<std::byte>& block, std::size_t count) {
    std::memcpy(vector.data() + at * kind.stride, block.data(), count * kind.stride);
}

std::vector<std::byte> first(const std::vector<std::byte>& vector, const Kind& kind, std::size_t count) {
    return {vector.begin(), vector.begin() + std::ptrdiff_t(count * kind.stride)};
}

class BlockCollectives : public testing::TestWithParam<int> {
protected:
    /// Calls `test(kind, count)` for every recipe of the collective; then that recipe must have run.
    template <class Test>
    void with_every_recipe(const FirstRanks& ranks, Collective collective, const Kinds& kinds,
                           const Test& test) {
        const auto recipes = recipes_of(collective);
        for (const auto& recipe : recipes) {
            bool serves = false;
            if (ranks.size() > 1) {
                force(ranks.get(), name(collective).data(), recipe, ranks.size());
                const WouldRun would = Tuning(ranks.get()).would_run(name(collective), 64);
                serves = would.phases != std::string(name(collective)) + " native";
            }
            EXPECT_TRUE(serves || ranks.size() < most_ranks) << recipe;
            for (const Kind& kind : kinds.in_turn(ranks.size(), int(&recipe - recipes.data())))
                for (const std::size_t count : {std::size_t(0), std::size_t(3)}) {
                    const testing::ScopedTrace trace(__FILE__, __LINE__,
                                                     recipe + ", " + kind.label + ", count " +
                                                         std::to_string(count) + ", p " +
                                                         std::to_string(ranks.size()));
                    test(kind, count);
                }
            const Kind& some = kinds.in_turn(most_ranks, 0).front();
            test(some, 3);
            EXPECT_EQ(ran(ranks.get(), collective), serves) << recipe;
        }
    }
};

TEST_P(BlockCollectives, AllgatherEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    with_every_recipe(ranks, Collective::allgather, kinds, [&](const Kind& kind, std::size_t count) {
        const std::size_t all = count * std::size_t(ranks.size());
        const int n = int(count);
        const auto in = buffer(kind, count, ranks.rank());
        auto expected = buffer(kind, all, -1), got = expected, in_place = expected;
        MPI_Allgather(in.data(), n, kind.type, expected.data(), n, kind.type, ranks.get());
        EXPECT_EQ(allgather(in.data(), n, kind.type, got.data(), n, kind.type, ranks.get()), MPI_SUCCESS);
        EXPECT_EQ(got, expected);
        place(in_place, kind, count * std::size_t(ranks.rank()), in, count);
        EXPECT_EQ(allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(), n, kind.type, ranks.get()),
                  MPI_SUCCESS);
        EXPECT_EQ(in_place, expected);
    });
}

TEST_P(BlockCollectives, GatherEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    with_every_recipe(ranks, Collective::gather, kinds, [&](const Kind& kind, std::size_t count) {
        const std::size_t all = count * std::size_t(ranks.size());
        const int n = int(count);
        for (int root = 0; root<ranks.size(); root += ranks.size()> 4 ? 3 : 1) {
            const bool at_root = ranks.rank() == root;
            const auto in = buffer(kind, count, ranks.rank());
            const auto untouched = in;
            auto expected = buffer(kind, all, -1), got = expected, in_place = expected;
            MPI_Gather(in.data(), n, kind.type, at_root ? expected.data() : nullptr, n, kind.type, root,
                       ranks.get());
            EXPECT_EQ(gather(in.data(), n, kind.type, at_root ? got.data() : nullptr, at_root ? n : -1,
                             at_root ? kind.type : MPI_DATATYPE_NULL, root, ranks.get()),
                      MPI_SUCCESS);
            EXPECT_EQ(got, expected) << "root " << root;
            place(in_place, kind, count * std::size_t(root), in, count);
            EXPECT_EQ(gather(at_root ? MPI_IN_PLACE : in.data(), n, kind.type,
                             at_root ? in_place.data() : nullptr, n, kind.type, root, ranks.get()),
                      MPI_SUCCESS);
            if (at_root) {
                EXPECT_EQ(in_place, expected) << "root " << root;
            }
            EXPECT_EQ(in, untouched);
        }
    });
}

TEST_P(BlockCollectives, ScatterEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    with_every_recipe(ranks, Collective::scatter, kinds, [&](const Kind& kind, std::size_t count) {
        const std::size_t all = count * std::size_t(ranks.size());
        const int n = int(count);
        for (int root = 0; root<ranks.size(); root += ranks.size()> 4 ? 3 : 1) {
            const bool at_root = ranks.rank() == root;
            const auto in = buffer(kind, all, root);
            const auto untouched = in;
            const void* const sent = at_root ? in.data() : nullptr;
            auto expected = buffer(kind, count, -1), got = expected, other = expected;
            MPI_Scatter(sent, n, kind.type, expected.data(), n, kind.type, root, ranks.get());
            EXPECT_EQ(scatter(sent, at_root ? n : -1, at_root ? kind.type : MPI_DATATYPE_NULL, got.data(), n,
                              kind.type, root, ranks.get()),
                      MPI_SUCCESS);
            EXPECT_EQ(got, expected) << "root " << root;
            EXPECT_EQ(scatter(sent, n, kind.type, at_root ? MPI_IN_PLACE : other.data(), n, kind.type, root,
                              ranks.get()),
                      MPI_SUCCESS);
            if (!at_root) {
                EXPECT_EQ(other, expected) << "root " << root;
            }
            EXPECT_EQ(in, untouched) << "root " << root;
        }
    });
}

TEST_P(BlockCollectives, AlltoallEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    with_every_recipe(ranks, Collective::alltoall, kinds, [&](const Kind& kind, std::size_t count) {
        const std::size_t all = count * std::size_t(ranks.size());
        const int n = int(count);
        const auto in = buffer(kind, all, ranks.rank());
        const auto untouched = in;
        auto expected = buffer(kind, all, -1), got = expected, in_place = in;
        MPI_Alltoall(in.data(), n, kind.type, expected.data(), n, kind.type, ranks.get());
        EXPECT_EQ(alltoall(in.data(), n, kind.type, got.data(), n, kind.type, ranks.get()), MPI_SUCCESS);
        EXPECT_EQ(got, expected);
        EXPECT_EQ(in, untouched);
        EXPECT_EQ(alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(), n, kind.type, ranks.get()),
                  MPI_SUCCESS);
        EXPECT_EQ(in_place, expected);
    });
}

TEST_P(BlockCollectives, ReduceScatterBlockEqualsTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    with_every_recipe(ranks, Collective::reduce_scatter, kinds, [&](const Kind& kind, std::size_t count) {
        const std::size_t all = count * std::size_t(ranks.size());
        const auto in = buffer(kind, all, ranks.rank());
        const auto untouched = in;
        auto expected = buffer(kind, count, -1), got = expected, in_place = in;
        MPI_Reduce_scatter_block(in.data(), expected.data(), int(count), kind.type, kind.op, ranks.get());
        EXPECT_EQ(
            reduce_scatter_block(in.data(), got.data(), MPI_Count(count), kind.type, kind.op, ranks.get()),
            MPI_SUCCESS);
        EXPECT_EQ(got, expected);
        EXPECT_EQ(in, untouched);
        EXPECT_EQ(reduce_scatter_block(MPI_IN_PLACE, in_place.data(), MPI_Count(count), kind.type, kind.op,
                                       ranks.get()),
                  MPI_SUCCESS);
        EXPECT_EQ(first(in_place, kind, count), first(expected, kind, count));
    });
}

TEST_P(BlockCollectives, ReduceScatterServesEvenCountsAndLeavesOthers) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    const int p = ranks.size();
    if (p > 1) force(ranks.get(), "reduce_scatter", "halving", p);
    for (const Kind& kind : kinds.in_turn(most_ranks, 0))
        for (const bool even : {true, false}) {
            std::vector<int> counts;
            for (int r = 0; r < p; ++r) counts.push_back(even ? 2 + (r < p / 2 ? 1 : 0) : r % 3);
            const auto all = std::size_t(std::accumulate(counts.begin(), counts.end(), 0));
            const auto own = std::size_t(counts[std::size_t(ranks.rank())]);
            const std::vector<MPI_Count> large(counts.begin(), counts.end());
            const auto in = buffer(kind, all, ranks.rank());
            auto expected = buffer(kind, own, -1), got = expected, got_large = expected, in_place = in;
            MPI_Reduce_scatter(in.data(), expected.data(), counts.data(), kind.type, kind.op, ranks.get());
            EXPECT_EQ(reduce_scatter(in.data(), got.data(), counts.data(), kind.type, kind.op, ranks.get()),
                      MPI_SUCCESS);
            EXPECT_EQ(echelon_reduce_scatter_c(in.data(), got_large.data(), large.data(), kind.type, kind.op,
                                               ranks.get()),
                      MPI_SUCCESS);
            EXPECT_EQ(
                reduce_scatter(MPI_IN_PLACE, in_place.data(), counts.data(), kind.type, kind.op, ranks.get()),
                MPI_SUCCESS);
            EXPECT_EQ(got, expected) << kind.label << (even ? " even" : " uneven");
            EXPECT_EQ(got_large, expected) << kind.label << (even ? " even" : " uneven");
            EXPECT_EQ(first(in_place, kind, own), first(expected, kind, own)) << kind.label;
        }
    EXPECT_EQ(ran(ranks.get(), Collective::reduce_scatter), p > 1);
}

TEST_P(BlockCollectives, ScansEqualTheNative) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    for (const bool exclusive : {false, true}) {
        const auto native = exclusive ? MPI_Exscan : MPI_Scan;
        const auto ours = exclusive ? exscan : scan;
        const bool gets_nothing = exclusive && ranks.rank() == 0;
        with_every_recipe(
            ranks, exclusive ? Collective::exscan : Collective::scan, kinds,
            [&](const Kind& kind, std::size_t count) {
                const auto in = buffer(kind, count, ranks.rank());
                const auto untouched = in;
                auto expected = buffer(kind, count, -1), got = expected, in_place = in;
                native(in.data(), expected.data(), int(count), kind.type, kind.op, ranks.get());
                EXPECT_EQ(ours(in.data(), got.data(), MPI_Count(count), kind.type, kind.op, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(in, untouched);
                EXPECT_EQ(got, gets_nothing ? buffer(kind, count, -1) : expected);
                EXPECT_EQ(
                    ours(MPI_IN_PLACE, in_place.data(), MPI_Count(count), kind.type, kind.op, ranks.get()),
                    MPI_SUCCESS);
                EXPECT_EQ(in_place, gets_nothing ? untouched : expected);
            });
    }
}

/// Ranks may describe the same bytes differently: here as pairs with gaps and as numbers side by side.
TEST_P(BlockCollectives, MayUseOtherTypesForTheSameBytes) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    const Kind& gaps = kinds.in_turn(most_ranks, 0).back();
    ASSERT_STREQ(gaps.label, "gaps");
    const int p = ranks.size(), rank = ranks.rank(), root = p - 1, n = 3;
    if (p > 1)
        for (const char* collective : {"allgather", "gather", "scatter", "alltoall"})
            force(ranks.get(), collective, collective[0] == 'a' ? std::string("native") : "binomial", p);
    if (p > 1) force(ranks.get(), "allgather", "circulant", p);
    if (p > 1) force(ranks.get(), "alltoall", "bruck", p);
    const auto spread = buffer(gaps, std::size_t(n), rank);
    std::vector<int> tight(std::size_t(2 * n * p), -1), expected = tight;
    MPI_Allgather(spread.data(), n, gaps.type, expected.data(), 2 * n, MPI_INT, ranks.get());
    allgather(spread.data(), n, gaps.type, tight.data(), 2 * n, MPI_INT, ranks.get());
    EXPECT_EQ(tight, expected);

    std::fill(tight.begin(), tight.end(), -1);
    if (rank % 2 == 0)
        gather(spread.data(), n, gaps.type, tight.data(), 2 * n, MPI_INT, root, ranks.get());
    else
        gather(expected.data() + 2 * n * rank, 2 * n, MPI_INT, tight.data(), 2 * n, MPI_INT, root,
               ranks.get());
    if (rank == root) {
        EXPECT_EQ(tight, expected);
    }

    auto back = buffer(gaps, std::size_t(n), -1);
    scatter(expected.data(), 2 * n, MPI_INT, back.data(), n, gaps.type, root, ranks.get());
    EXPECT_EQ(back, spread);

    auto all_spread = buffer(gaps, std::size_t(n * p), rank), all_back = buffer(gaps, std::size_t(n * p), -1);
    auto all_expected = all_back;
    std::vector<int> columns(std::size_t(2 * n * p), -1), columns_expected = columns;
    MPI_Alltoall(all_spread.data(), n, gaps.type, columns_expected.data(), 2 * n, MPI_INT, ranks.get());
    alltoall(all_spread.data(), n, gaps.type, columns.data(), 2 * n, MPI_INT, ranks.get());
    EXPECT_EQ(columns, columns_expected);
    MPI_Alltoall(columns.data(), 2 * n, MPI_INT, all_expected.data(), n, gaps.type, ranks.get());
    alltoall(columns.data(), 2 * n, MPI_INT, all_back.data(), n, gaps.type, ranks.get());
    EXPECT_EQ(all_back, all_expected);
    for (const Collective collective :
         {Collective::allgather, Collective::gather, Collective::scatter, Collective::alltoall})
        EXPECT_EQ(ran(ranks.get(), collective), p > 1) << name(collective);
}

INSTANTIATE_TEST_SUITE_P(Ranks, BlockCollectives, testing::Range(1, most_ranks + 1));

/// Left to itself, Echelon hands all of these to the library.
TEST(BlockCollectivesByThemselves, AreNative) {
    const FirstRanks ranks(most_ranks);
    std::vector<int> in(16, ranks.rank()), out(16 * most_ranks, -1);
    EXPECT_EQ(allgather(in.data(), 16, MPI_INT, out.data(), 16, MPI_INT, ranks.get()), MPI_SUCCESS);
    for (int r = 0; r < most_ranks; ++r) EXPECT_EQ(out[std::size_t(r * 16)], r);
    const WouldRun would = Tuning(ranks.get()).would_run("allgather", 1024);
    EXPECT_EQ(would.recipe, "native");
    EXPECT_EQ(would.source, "built_in");
    EXPECT_EQ(Tuning(ranks.get()).would_run("exscan", 8).recipe, "native");
}

/// Open MPI takes buffers that are the same on one rank as that rank's way to be in place: nobody may wait for it.
TEST(BlockCollectivesByThemselves, TakeOneRanksAliasesAsInPlace) {
    if (quirks::refuses_aliases) GTEST_SKIP() << "the library refuses them";
    const FirstRanks ranks(4);
    if (!ranks) return;
    const int me = ranks.rank();
    std::array<int, 8> in{}, separate{};
    const auto call = [&](const char* collective, const char* recipe, auto run) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, collective);
        force(ranks.get(), collective, recipe, 4);
        for (int i = 0; i < 8; ++i) in[std::size_t(i)] = 10 * me + i;
        separate = {};
        int* const out = me == 0 ? in.data() : separate.data();
        EXPECT_EQ(run(out), MPI_SUCCESS);
        return out;
    };
    const int* out = call("gather", "leaders(G=2, binomial, binomial)", [&](int* to) {
        return gather(in.data(), 2, MPI_INT, to, 2, MPI_INT, 0, ranks.get());
    });
    for (int i = 0; me == 0 && i < 8; ++i) EXPECT_EQ(out[i], 10 * (i / 2) + i % 2);
    out = call("scatter", "binomial",
               [&](int* to) { return scatter(in.data(), 2, MPI_INT, to, 2, MPI_INT, 0, ranks.get()); });
    EXPECT_EQ(out[1], 2 * me + 1);
    out = call("allgather", "ring",
               [&](int* to) { return allgather(in.data(), 2, MPI_INT, to, 2, MPI_INT, ranks.get()); });
    for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], 10 * (i / 2) + i % 2);
    out = call("alltoall", "bruck",
               [&](int* to) { return alltoall(in.data(), 2, MPI_INT, to, 2, MPI_INT, ranks.get()); });
    for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], 10 * (i / 2) + 2 * me + i % 2);
    out = call("scan", "recursive_doubling",
               [&](int* to) { return scan(in.data(), to, 8, MPI_INT, MPI_SUM, ranks.get()); });
    EXPECT_EQ(out[1], 5 * me * (me + 1) + me + 1);
    out = call("exscan", "recursive_doubling",
               [&](int* to) { return exscan(in.data(), to, 8, MPI_INT, MPI_SUM, ranks.get()); });
    if (me > 0) {
        EXPECT_EQ(out[1], 5 * me * (me - 1) + me);
    }
    out = call("reduce_scatter", "ring", [&](int* to) {
        return reduce_scatter_block(in.data(), to, 2, MPI_INT, MPI_SUM, ranks.get());
    });
    EXPECT_EQ(out[1], 60 + 4 * (2 * me + 1));
}

/// A count below zero, no room, a wrong root: an error, as with the library.
TEST(BlockCollectivesByThemselves, ReportWrongArguments) {
    const FirstRanks ranks(2);
    if (!ranks) return;
    MPI_Comm_set_errhandler(ranks.get(), MPI_ERRORS_RETURN);
    const auto class_of = [](int code) {
        int error_class = MPI_SUCCESS;
        MPI_Error_class(code, &error_class);
        return error_class;
    };
    int number = 0, numbers[2] = {0, 0};
    force(ranks.get(), "gather", "binomial", 2);
    EXPECT_EQ(class_of(gather(&number, -1, MPI_INT, numbers, -1, MPI_INT, 0, ranks.get())), MPI_ERR_COUNT);
    EXPECT_EQ(class_of(gather(&number, 1, MPI_INT, numbers, 1, MPI_INT, 2, ranks.get())), MPI_ERR_ROOT);
    EXPECT_EQ(class_of(exscan(&number, numbers, 1, MPI_INT, MPI_MAXLOC, ranks.get())), MPI_ERR_OP);
    force(ranks.get(), "scan", "chain", 2);
    EXPECT_EQ(class_of(scan(&number, numbers, 1, MPI_INT, MPI_MAXLOC, ranks.get())), MPI_ERR_OP);
    EXPECT_EQ(class_of(scan(&number, nullptr, 1, MPI_INT, MPI_SUM, ranks.get())), MPI_ERR_BUFFER);
}

}  // namespace
}  // namespace echelon
