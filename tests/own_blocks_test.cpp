// SPDX-License-Identifier: Apache-2.0
/// Collectives whose ranks know only their own blocks: gatherv, scatterv and alltoallv by all recipes, with
/// uneven counts, any places, different roots, in place.
#include "cache/state.hpp"
#include "flat/catalog.hpp"
#include "hier/lengths.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/quirks.hpp"
#include "support/as_native.hpp"
#include "support/communicators.hpp"
#include "support/layout.hpp"
#include "tuner/mail.hpp"

#include <echelon/echelon.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <echelon/echelon.hpp>
#include <random>
#include <set>

namespace echelon {
namespace {

class OwnBlocks : public testing::TestWithParam<int> {};

/// The recipes of a gather or scatter, and one of three levels.
std::vector<std::string> rooted_recipes(Collective collective) {
    auto recipes = recipes_of(collective);
    recipes.emplace_back("leaders(size=4, binomial, leaders(G=2, linear, bine))");
    return recipes;
}

bool expected_to_run(const std::string& recipe, Collective collective) {
    return find_algorithm(collective, recipe) != nullptr &&
           serves_own_blocks(Recipe::parse(recipe), collective);
}

/// Only the root describes the blocks; the other ranks pass null pointers.
TEST_P(OwnBlocks, GathervServesBlocksThatTheRootKnows) {
    const FirstRanks ranks(GetParam());
    if (!ranks || ranks.size() == 1) return;
    const Kinds kinds;
    const int p = ranks.size(), me = ranks.rank();
    int turn = 0;
    for (const std::string& recipe : rooted_recipes(Collective::gather)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
        force(ranks.get(), "gather", recipe, p);
        for (const Kind& kind : kinds.in_turn(p, turn++))
            for (int i = 0; i < 8; ++i) {
                const Layout layout(lengths(p, i % 4), me, (turn + i) % 3);
                const int n = layout.of(me), root = (turn + i) % p;
                const bool at_root = me == root;
                const std::vector<MPI_Count> large_counts(layout.counts.begin(), layout.counts.end());
                const std::vector<MPI_Aint> large_places(layout.places.begin(), layout.places.end());
                const int *const counts = at_root ? layout.counts.data() : nullptr,
                                 *const places = at_root ? layout.places.data() : nullptr;
                const auto in = buffer(kind, std::size_t(n), me);
                auto expected = buffer(kind, std::size_t(layout.end), -1), got = expected, large = expected,
                     in_place = expected;
                MPI_Gatherv(in.data(), n, kind.type, expected.data(), counts, places, kind.type, root,
                            ranks.get());
                EXPECT_EQ(gatherv(in.data(), n, kind.type, got.data(), counts, places, kind.type, root,
                                  ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(gatherv(in.data(), MPI_Count(n), kind.type, large.data(),
                                  at_root ? large_counts.data() : nullptr,
                                  at_root ? large_places.data() : nullptr, kind.type, root, ranks.get()),
                          MPI_SUCCESS);
                const auto at = std::size_t(layout.places[std::size_t(me)]) * kind.stride;
                if (n > 0)
                    std::copy(in.begin(), in.begin() + n * std::ptrdiff_t(kind.stride),
                              in_place.begin() + std::ptrdiff_t(at));
                EXPECT_EQ(gatherv(at_root ? MPI_IN_PLACE : in.data(), n, kind.type, in_place.data(), counts,
                                  places, kind.type, root, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(got, expected) << kind.label << ", " << i;
                EXPECT_EQ(large, expected) << kind.label << ", " << i;
                if (at_root) {
                    EXPECT_EQ(in_place, expected) << kind.label << ", " << i;
                }
            }
        EXPECT_TRUE(ran(ranks.get(), Collective::gather) || !expected_to_run(recipe, Collective::gather));
    }
}

TEST_P(OwnBlocks, ScattervServesBlocksThatTheRootKnows) {
    const FirstRanks ranks(GetParam());
    if (!ranks || ranks.size() == 1) return;
    const Kinds kinds;
    const int p = ranks.size(), me = ranks.rank();
    int turn = 0;
    for (const std::string& recipe : rooted_recipes(Collective::scatter)) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
        force(ranks.get(), "scatter", recipe, p);
        for (const Kind& kind : kinds.in_turn(p, turn++))
            for (int i = 0; i < 8; ++i) {
                const Layout layout(lengths(p, i % 4), me, (turn + i) % 3);
                const int n = layout.of(me), root = (turn + i) % p;
                const bool at_root = me == root;
                const std::vector<MPI_Count> large_counts(layout.counts.begin(), layout.counts.end());
                const std::vector<MPI_Aint> large_places(layout.places.begin(), layout.places.end());
                const int *const counts = at_root ? layout.counts.data() : nullptr,
                                 *const places = at_root ? layout.places.data() : nullptr;
                const auto in = buffer(kind, std::size_t(layout.end), me);
                auto sent = in;
                auto expected = buffer(kind, std::size_t(n), -1), got = expected, large = expected,
                     in_place = expected;
                MPI_Scatterv(in.data(), counts, places, kind.type, expected.data(), n, kind.type, root,
                             ranks.get());
                EXPECT_EQ(scatterv(in.data(), counts, places, kind.type, got.data(), n, kind.type, root,
                                   ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(scatterv(in.data(), at_root ? large_counts.data() : nullptr,
                                   at_root ? large_places.data() : nullptr, kind.type, large.data(),
                                   MPI_Count(n), kind.type, root, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(scatterv(sent.data(), counts, places, kind.type,
                                   at_root ? MPI_IN_PLACE : in_place.data(), n, kind.type, root, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(got, expected) << kind.label << ", " << i;
                EXPECT_EQ(large, expected) << kind.label << ", " << i;
                EXPECT_EQ(sent, in) << kind.label << ", " << i;
                if (!at_root) {
                    EXPECT_EQ(in_place, expected) << kind.label << ", " << i;
                }
            }
        EXPECT_TRUE(ran(ranks.get(), Collective::scatter) || !expected_to_run(recipe, Collective::scatter));
    }
}

/// Each rank knows the counts that it sends and receives.
TEST_P(OwnBlocks, AlltoallvServesBlocksThatOnlyTheirRanksKnow) {
    const FirstRanks ranks(GetParam());
    if (!ranks || ranks.size() == 1) return;
    const Kinds kinds;
    const int p = ranks.size(), me = ranks.rank();
    int turn = 0;
    auto recipes = recipes_of(Collective::alltoall);
    recipes.insert(recipes.end(), {"linear(window=1)", "linear(window=3)"});
    for (const std::string& recipe : recipes) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
        force(ranks.get(), "alltoall", recipe, p);
        for (const Kind& kind : kinds.in_turn(p, turn++))
            for (int i = 0; i < 8; ++i) {
                const auto length = [&](int from, int to) {
                    return i % 4 == 0   ? (5 * from + 3 * to * to + i) % 7
                           : i % 4 == 1 ? (from == p / 2 ? 1 + to : 0)
                           : i % 4 == 2 ? (to == i % p ? from : 0)
                                        : (to == from && from == 0 ? 20000 : 0);  // too long for padding
                };
                std::vector<int> sent, received;
                for (int r = 0; r < p; ++r) sent.push_back(length(me, r)), received.push_back(length(r, me));
                const Layout from(sent, me, (turn + i) % 3), to(received, me, i % 2 * 2);
                const std::vector<MPI_Count> from_counts(sent.begin(), sent.end()),
                    to_counts(received.begin(), received.end());
                const std::vector<MPI_Aint> from_places(from.places.begin(), from.places.end()),
                    to_places(to.places.begin(), to.places.end());
                const auto in = buffer(kind, std::size_t(from.end), me);
                auto expected = buffer(kind, std::size_t(to.end), -1), got = expected, large = expected;
                MPI_Alltoallv(in.data(), sent.data(), from.places.data(), kind.type, expected.data(),
                              received.data(), to.places.data(), kind.type, ranks.get());
                EXPECT_EQ(alltoallv(in.data(), sent.data(), from.places.data(), kind.type, got.data(),
                                    received.data(), to.places.data(), kind.type, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(alltoallv(in.data(), from_counts.data(), from_places.data(), kind.type,
                                    large.data(), to_counts.data(), to_places.data(), kind.type, ranks.get()),
                          MPI_SUCCESS);
                EXPECT_EQ(got, expected) << kind.label << ", " << i;
                EXPECT_EQ(large, expected) << kind.label << ", " << i;
                // In place the blocks of a pair are of equal length.
                std::vector<int> both;
                for (int r = 0; r < p; ++r) both.push_back((me * r + i) % 5);
                const Layout there(both, me, i % 3);
                auto expected_there = buffer(kind, std::size_t(there.end), me), got_there = expected_there;
                MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, expected_there.data(),
                              both.data(), there.places.data(), kind.type, ranks.get());
                EXPECT_EQ(
                    alltoallv(MPI_IN_PLACE, static_cast<const int*>(nullptr), nullptr, MPI_DATATYPE_NULL,
                              got_there.data(), both.data(), there.places.data(), kind.type, ranks.get()),
                    MPI_SUCCESS);
                EXPECT_EQ(got_there, expected_there) << kind.label << ", " << i;
            }
        const bool known = find_algorithm(Collective::alltoall, recipe) != nullptr;
        EXPECT_TRUE(ran(ranks.get(), Collective::alltoall) || !known);
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, OwnBlocks, testing::Range(2, 6));

/// Lengths that differ between the root and another rank are an error on a rank that has no room, at the end
/// of the call: no rank hangs, and no rank writes behind its buffer.
TEST(OwnBlocksByThemselves, ReportLengthsThatDiffer) {
    const FirstRanks ranks(5);
    if (!ranks) return;
    MPI_Comm_set_errhandler(ranks.get(), MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // MPI_Wait of MPICH uses this handler
    const int me = ranks.rank();
    const std::array<int, 5> ones{1, 1, 1, 1, 1}, places{0, 1, 2, 3, 4};
    for (const char* recipe : {"linear", "binomial", "leaders(G=2, binomial, binomial)"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
        force(ranks.get(), "gather", recipe, 5);
        force(ranks.get(), "scatter", recipe, 5);
        for (const int wrong : {3, 4}) {
            const int n = me == wrong ? 2 : 1;
            std::array<int, 2> one{me, me};
            std::array<int, 6> all{-1, -1, -1, -1, -1, -7};
            const int gathered = gatherv(one.data(), n, MPI_INT, all.data(), ones.data(), places.data(),
                                         MPI_INT, 0, ranks.get());
            EXPECT_EQ(gathered == MPI_SUCCESS, me != 0);
            EXPECT_EQ(all[5], -7);
            const int room = me == wrong ? 0 : 1;
            const std::array<int, 6> from{0, 1, 2, 3, 4, 5};
            std::array<int, 2> got{-7, -7};
            const int scattered = scatterv(from.data(), ones.data(), places.data(), MPI_INT, got.data(), room,
                                           MPI_INT, 0, ranks.get());
            EXPECT_EQ(scattered == MPI_SUCCESS, me != wrong);
            EXPECT_EQ(got[std::size_t(room)], -7);
        }
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// A gatherv is no gather of the same arguments: without a request it stays native.
TEST(OwnBlocksByThemselves, GathervAndScattervFollowRequestsForAllSizesOnly) {
    const FirstRanks ranks(3);
    if (!ranks) return;
    const std::array counts{1, 1, 1}, places{0, 1, 2};
    const auto runs = [&](const char* recipe, std::size_t least) {
        std::array<int, 3> all{-1, -1, -1};
        int one = ranks.rank();
        for (const char* collective : {"gather", "scatter"}) {
            Tuning(ranks.get()).clear(collective);
            Tuning(ranks.get()).force(collective, recipe, least);
        }
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(
                gatherv(&one, 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 1, ranks.get()),
                MPI_SUCCESS);
            if (ranks.rank() == 1) {
                EXPECT_EQ(all, (std::array{0, 1, 2}));
            }
            EXPECT_EQ(
                scatterv(all.data(), counts.data(), places.data(), MPI_INT, &one, 1, MPI_INT, 1, ranks.get()),
                MPI_SUCCESS);
            EXPECT_EQ(one, ranks.rank());
        }
        EXPECT_EQ(ran(ranks.get(), Collective::gather), ran(ranks.get(), Collective::scatter));
        return ran(ranks.get(), Collective::gather);
    };
    EXPECT_TRUE(runs("binomial", 0));
    EXPECT_FALSE(runs("binomial", 1));
    EXPECT_TRUE(runs("leaders(G=2, linear, linear)", 0));
    EXPECT_FALSE(runs("shm", 0));
    EXPECT_FALSE(runs("native", 0));
}

/// The ranks know no common size, and a request that cannot serve is no error.
TEST(OwnBlocksByThemselves, AlltoallvFollowsRequestsForAllSizesOnly) {
    const FirstRanks ranks(3);
    if (!ranks) return;
    const std::array counts{1, 1, 1}, places{0, 1, 2};
    const auto runs = [&](const char* recipe, std::size_t least) {
        std::array<int, 3> in{ranks.rank(), ranks.rank() + 10, ranks.rank() + 20}, out{};
        Tuning(ranks.get()).clear("alltoall");
        Tuning(ranks.get()).force("alltoall", recipe, least);
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(alltoallv(in.data(), counts.data(), places.data(), MPI_INT, out.data(), counts.data(),
                                places.data(), MPI_INT, ranks.get()),
                      MPI_SUCCESS);
        for (int r = 0; r < 3; ++r) EXPECT_EQ(out[std::size_t(r)], r + 10 * ranks.rank());
        return ran(ranks.get(), Collective::alltoall);
    };
    EXPECT_TRUE(runs("linear(window=2)", 0));
    EXPECT_FALSE(runs("linear(window=2)", 1));
    EXPECT_TRUE(runs("bruck", 0));
    EXPECT_FALSE(runs("bruck", 1));
    EXPECT_TRUE(runs("pairwise", 0));
    // Without a request the library serves, and later calls look up no plan.
    EXPECT_FALSE(runs("native", 0));
    const auto hits = [&] { return State::known(ranks.get())->plans().hits(); };
    std::array<int, 3> in{}, out{};
    const long before = hits();
    for (int i = 0; i < 3; ++i)
        alltoallv(in.data(), counts.data(), places.data(), MPI_INT, out.data(), counts.data(), places.data(),
                  MPI_INT, ranks.get());
    EXPECT_EQ(hits(), before);
}

/// Alltoallv by a recipe accepted equal buffers with one array of counts, which MPICH refuses.
TEST(OwnBlocksByThemselves, RefuseAliasesLikeTheLibrary) {
    if (!quirks::refuses_aliases) GTEST_SKIP() << "the library takes them for calls in place";
    const FirstRanks ranks(4);
    if (!ranks) return;
    MPI_Comm_set_errhandler(ranks.get(), MPI_ERRORS_RETURN);
    force(ranks.get(), "alltoall", "pairwise", 4);
    std::array<int, 8> data{}, counts{1, 1, 1, 1}, places{0, 1, 2, 3}, other_counts = counts;
    const std::array<int, 8> other_places{4, 5, 6, 7};
    EXPECT_NE(alltoallv(data.data(), counts.data(), places.data(), MPI_INT, data.data(), counts.data(),
                        places.data(), MPI_INT, ranks.get()),
              MPI_SUCCESS);
    data.fill(ranks.rank());
    EXPECT_EQ(alltoallv(data.data(), counts.data(), places.data(), MPI_INT, data.data(), other_counts.data(),
                        other_places.data(), MPI_INT, ranks.get()),
              MPI_SUCCESS);
    for (int r = 0; r < 4; ++r) EXPECT_EQ(data[std::size_t(4 + r)], r);
}

/// Begins a trial of the calls whose ranks know only their own blocks, which costs nothing.
void begin_trial(MPI_Comm comm, Collective collective, const std::vector<const char*>& recipes) {
    Tuner& tuner = Tuner::of(*State::of(comm));
    PlanKey key = call_of(collective);
    key.lengths = BlockLengths::own;
    Row row{.key = key, .choice = {.recipe = {}, .source = Source::built_in}};
    std::vector<Trial::Arm> arms;
    for (const char* const one : recipes) {
        arms.push_back({.recipe = Recipe::parse(one), .expected = 1, .seen = true});
        row.arms.push_back(arms.back().recipe);
    }
    Trial trial(arms,
                {.evidence = Trial::Evidence::blocks, .share = 1, .first_share = 1, .ranks = tuner.size()});
    row.agenda = trial.next();
    if (tuner.rank() == 0) tuner.trials().insert_or_assign(tuner.classes().of(key), std::move(trial));
    tuner.calls()[tuner.classes().of(key)].key = key;
    take(tuner, rows_of(broadcast(to_bytes({row}), comm)).front(), true);
}

/// The recipes that a trial of these calls has run.
std::set<std::string> tried(MPI_Comm comm, Collective collective) {
    std::set<std::string> all;
    for (const auto& [key, plan] : State::known(comm)->plans().all())
        if (key.collective == collective && key.own_lengths() && key.variant.kind == Variant::Kind::trial)
            all.insert(to_string(plan.choice.recipe));
    return all;
}

/// Calls of any lengths, which change from call to call: the ranks run the same recipe of the trial in each.
TEST(OwnBlocksByThemselves, AreRightWhileATrialComparesRecipes) {
    const FirstRanks ranks(4);
    if (!ranks) return;
    const Tuning tuning(ranks.get());
    const MPI_Comm comm = ranks.get();
    const Kinds kinds;
    const int p = ranks.size(), me = ranks.rank();
    for (const Collective rooted : {Collective::gather, Collective::scatter})
        begin_trial(comm, rooted, {"native", "binomial", "leaders(G=2, linear, linear)"});
    begin_trial(comm, Collective::alltoall,
                {"native", "bruck", "pairwise", "positions(G=2, linear, linear)"});
    std::mt19937 random(7);  // alike on all ranks
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    const auto drawn_lengths = [&] {
        std::vector<int> counts = lengths(p, below(4));
        std::ranges::shuffle(counts, random);
        return counts;
    };
    std::map<Collective, std::set<std::string>> ran_here;
    for (int i = 0; i < 400; ++i) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, i);
        const Kind& kind = kinds.in_turn(p, i)[std::size_t(i) % kinds.in_turn(p, i).size()];
        const auto all = drawn_lengths();
        const int root = below(p), turn = below(3);
        const bool at_root = me == root, in_place = below(3) == 0;
        const Layout layout(all, me, turn);
        const int n = layout.of(me);
        const auto whole = buffer(kind, std::size_t(layout.end), me), own = buffer(kind, std::size_t(n), me);
        auto expected = whole, got = whole;
        const void* const sent = at_root && in_place ? MPI_IN_PLACE : own.data();
        MPI_Gatherv(sent, n, kind.type, expected.data(), layout.counts.data(), layout.places.data(),
                    kind.type, root, comm);
        gatherv(sent, n, kind.type, got.data(), layout.counts.data(), layout.places.data(), kind.type, root,
                comm);
        EXPECT_EQ(got, expected);

        auto expected_block = buffer(kind, std::size_t(n), -1), got_block = expected_block;
        const auto receives = [&](std::vector<std::byte>& into) {
            return at_root && in_place ? MPI_IN_PLACE : static_cast<void*>(into.data());
        };
        MPI_Scatterv(whole.data(), layout.counts.data(), layout.places.data(), kind.type,
                     receives(expected_block), n, kind.type, root, comm);
        scatterv(whole.data(), layout.counts.data(), layout.places.data(), kind.type, receives(got_block), n,
                 kind.type, root, comm);
        EXPECT_EQ(got_block, expected_block);

        // In place the blocks of a pair are of equal length.
        std::vector<std::vector<int>> rows;
        for (int r = 0; r < p; ++r) rows.push_back(drawn_lengths());
        const auto length = [&](int from, int to) {
            return in_place && from > to ? rows[std::size_t(to)][std::size_t(from)]
                                         : rows[std::size_t(from)][std::size_t(to)];
        };
        std::vector<int> sends, arrives;
        for (int r = 0; r < p; ++r) sends.push_back(length(me, r)), arrives.push_back(length(r, me));
        const Layout from(sends, me, turn), to(arrives, me, in_place ? turn : (turn + 1) % 3);
        const auto blocks = buffer(kind, std::size_t(from.end), me);
        auto expected_blocks = buffer(kind, std::size_t(to.end), in_place ? me : -1),
             got_blocks = expected_blocks;
        const void* const data = in_place ? MPI_IN_PLACE : blocks.data();
        MPI_Alltoallv(data, sends.data(), from.places.data(), kind.type, expected_blocks.data(),
                      arrives.data(), to.places.data(), kind.type, comm);
        alltoallv(data, sends.data(), from.places.data(), kind.type, got_blocks.data(), arrives.data(),
                  to.places.data(), kind.type, comm);
        EXPECT_EQ(got_blocks, expected_blocks);
        if (i % 3 == 0) barrier(comm);
        for (const Collective one : {Collective::gather, Collective::scatter, Collective::alltoall})
            ran_here[one].merge(tried(comm, one));
    }
    EXPECT_EQ(ran_here[Collective::gather].size(), 2u);
    EXPECT_EQ(ran_here[Collective::scatter].size(), 2u);
    EXPECT_EQ(ran_here[Collective::alltoall].size(), 3u);
}

}  // namespace
}  // namespace echelon
