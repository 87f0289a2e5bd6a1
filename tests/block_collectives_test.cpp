// SPDX-License-Identifier: Apache-2.0
/// Collectives in which every rank has a block: uneven counts, different types, aliases, the default choice,
/// wrong arguments. Their results are tested in collectives_test.
#include "cache/state.hpp"
#include "flat/catalog.hpp"
#include "mpi/quirks.hpp"
#include "support/as_native.hpp"
#include "support/communicators.hpp"
#include "support/layout.hpp"

#include <echelon/echelon.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>
#include <echelon/echelon.hpp>
#include <limits>
#include <numeric>

namespace echelon {
namespace {

std::vector<std::byte> first(const std::vector<std::byte>& vector, const Kind& kind, std::size_t count) {
    return {vector.begin(), vector.begin() + std::ptrdiff_t(count * kind.stride)};
}

class BlockCollectives : public testing::TestWithParam<int> {};

TEST_P(BlockCollectives, ReduceScatterServesAnyCounts) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const Kinds kinds;
    const int p = ranks.size();
    std::vector<std::pair<std::string, const Kind*>> cases;
    for (const Kind& kind : kinds.in_turn(most_ranks, 0)) cases.emplace_back("halving", &kind);
    for (const std::string& recipe : recipes_of(Collective::reduce_scatter))
        cases.emplace_back(recipe, &kinds.in_turn(p, int(cases.size())).front());
    for (const auto& [recipe, of_kind] : cases)
        for (const bool even : {true, false}) {
            const Kind& kind = *of_kind;
            const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
            if (p > 1) force(ranks.get(), "reduce_scatter", recipe, p);
            std::vector<int> counts;
            for (int r = 0; r < p; ++r) counts.push_back(even ? 2 + (r < p / 2 ? 1 : 0) : 5 * r % 3);
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
            const Algorithm* const row = find_algorithm(Collective::reduce_scatter, recipe);
            if (row != nullptr && kind.op == MPI_SUM) {
                EXPECT_EQ(ran(ranks.get(), Collective::reduce_scatter), p > 1);
            }
        }
}

/// Ranks may describe equal bytes by different types: here pairs with gaps, and contiguous numbers.
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

/// All bytes of the receive buffer: blocks anywhere, and gaps that stay.
TEST_P(BlockCollectives, AllgathervServesBlocksOfAnyLengthAtAnyPlace) {
    const FirstRanks ranks(GetParam());
    if (!ranks || ranks.size() == 1) return;  // allgatherv_of_one.c
    const Kinds kinds;
    const int p = ranks.size(), me = ranks.rank();
    int turn = 0;
    for (const auto& recipe : recipes_of(Collective::allgather)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
        force(ranks.get(), "allgather", recipe, p);
        for (const Kind& kind : kinds.in_turn(p, turn++))
            for (int i = 0; i < 8; ++i) {
                // Equal recipes serve different counts in turn.
                const Layout layout(lengths(p, i % 4), me, (turn + i) % 3);
                const int n = layout.of(me);
                const std::vector<MPI_Count> counts(layout.counts.begin(), layout.counts.end());
                const std::vector<MPI_Aint> places(layout.places.begin(), layout.places.end());
                const auto in = buffer(kind, std::size_t(n), me);
                auto expected = buffer(kind, std::size_t(layout.end), -1), got = expected, large = expected,
                     in_place = expected;
                MPI_Allgatherv(in.data(), n, kind.type, expected.data(), layout.counts.data(),
                               layout.places.data(), kind.type, ranks.get());
                EXPECT_EQ(allgatherv(in.data(), n, kind.type, got.data(), layout.counts.data(),
                                     layout.places.data(), kind.type, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(allgatherv(in.data(), MPI_Count(n), kind.type, large.data(), counts.data(),
                                     places.data(), kind.type, ranks.get()),
                          MPI_SUCCESS);
                const auto at = std::size_t(places[std::size_t(me)]) * kind.stride;
                if (n > 0)
                    std::copy(in.begin(), in.begin() + n * std::ptrdiff_t(kind.stride),
                              in_place.begin() + std::ptrdiff_t(at));
                EXPECT_EQ(allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(),
                                     layout.counts.data(), layout.places.data(), kind.type, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(got, expected) << kind.label << ", " << i;
                EXPECT_EQ(large, expected) << kind.label << ", " << i;
                EXPECT_EQ(in_place, expected) << kind.label << ", " << i;
            }
        EXPECT_TRUE(ran(ranks.get(), Collective::allgather) ||
                    find_algorithm(Collective::allgather, recipe) == nullptr);
    }
}

/// Plans are kept for sums of counts, not for all their ways to differ.
TEST(BlockCollectivesByThemselves, KeepOnePlanForAllCountsOfOneSum) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    force(ranks.get(), "allgather", "ring", 4);
    std::vector<int> in(100, ranks.rank()), out(100);
    const auto made = [&] { return State::known(ranks.get())->plans().made(); };
    long after_two = 0;
    for (int i = 1; i < 24; ++i) {
        const std::array counts{i, 24 - i, 2 * i, 50 - 2 * i}, places{0, i, 24, 24 + 2 * i};
        EXPECT_EQ(allgatherv(in.data(), counts[std::size_t(ranks.rank())], MPI_INT, out.data(), counts.data(),
                             places.data(), MPI_INT, ranks.get()),
                  MPI_SUCCESS);
        for (int r = 0; r < 4; ++r)
            for (int at = 0; at < counts[std::size_t(r)]; ++at)
                EXPECT_EQ(out[std::size_t(places[std::size_t(r)] + at)], r);
        if (i == 2) after_two = made();
    }
    EXPECT_TRUE(ran(ranks.get(), Collective::allgather));
    EXPECT_EQ(made(), after_two);
}

INSTANTIATE_TEST_SUITE_P(Ranks, BlockCollectives, testing::Range(1, most_ranks + 1));

/// These calls are native by default.
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

/// Open MPI treats equal send and receive buffers of one rank as MPI_IN_PLACE on that rank: no rank may hang.
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

/// A negative count, missing memory or a wrong root gives an error, as in the MPI library.
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
    const std::array<int, 2> negative{1, -1}, places{0, 1}, ones{1, 1};
    force(ranks.get(), "allgather", "ring", 2);
    EXPECT_EQ(class_of(allgatherv(&number, 1, MPI_INT, numbers, negative.data(), places.data(), MPI_INT,
                                  ranks.get())),
              MPI_ERR_COUNT);
    EXPECT_EQ(class_of(allgatherv(&number, 1, MPI_INT, static_cast<int*>(nullptr), ones.data(), places.data(),
                                  MPI_INT, ranks.get())),
              MPI_ERR_BUFFER);
    EXPECT_EQ(class_of(exscan(&number, numbers, 1, MPI_INT, MPI_MAXLOC, ranks.get())), MPI_ERR_OP);
    force(ranks.get(), "scan", "chain", 2);
    EXPECT_EQ(class_of(scan(&number, numbers, 1, MPI_INT, MPI_MAXLOC, ranks.get())), MPI_ERR_OP);
    EXPECT_EQ(class_of(scan(&number, nullptr, 1, MPI_INT, MPI_SUM, ranks.get())), MPI_ERR_BUFFER);
}

}  // namespace
}  // namespace echelon
