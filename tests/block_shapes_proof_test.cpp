// SPDX-License-Identifier: Apache-2.0
/// The shapes of collectives in which every rank has a block, proved for all p, uneven groups, interleaved
/// ranks, every root and blocks of all lengths.
#include "core/checker.hpp"
#include "core/error.hpp"
#include "hier/recorded_team.hpp"

#include <gtest/gtest.h>
#include <set>

namespace echelon {
namespace {

/// Rank r sits on node r mod `nodes`.
Placement dealt_out(int p, int nodes) {
    std::vector<Location> locations;
    for (int rank = 0; rank < p; ++rank) locations.push_back({.node = std::uint64_t(rank % nodes)});
    return Placement::from(locations);
}

/// A rank that is not the root has no more of a gather's or scatter's vector than its block; the root of a
/// scatter does not write to it.
void expect_to_keep_to_the_block(const Schedule& schedule, const Call& call) {
    if (call.collective != Collective::gather && call.collective != Collective::scatter) return;
    const int p = schedule.size();
    const Blocks blocks = call.args(p).blocks;
    for (int rank = 0; rank < p; ++rank)
        for (const Step& step : schedule.ranks[std::size_t(rank)].strands.front()) {
            const bool writes = step.kind == Step::Kind::receive || step.kind == Step::Kind::copy;
            const bool at_root = rank == call.root;
            for (const Slice& slice : {step.what, step.from})
                if (!at_root && slice.buffer == Buffer::data && !slice.empty()) {
                    EXPECT_GE(slice.offset, blocks[rank].offset) << "rank " << rank;
                    EXPECT_LE(slice.end(), blocks[rank].end()) << "rank " << rank;
                }
            const bool only_read =
                at_root ? call.collective == Collective::scatter : call.collective == Collective::gather;
            if (only_read && writes && !step.what.empty()) {
                EXPECT_NE(step.what.buffer, Buffer::data)
                    << "rank " << rank << " writes what it only has to send";
            }
        }
}

int proved = 0;

void expect_proved(const Recipe& recipe, const Call& call, const Placement& placement) {
    const testing::ScopedTrace trace(
        __FILE__, __LINE__,
        std::string(name(call.collective)) + ' ' + to_string(recipe) +
            ", p = " + std::to_string(placement.size()) + ", count = " + std::to_string(call.count) +
            ", root = " + std::to_string(call.root) + (call.operation.in_order ? ", in order" : ""));
    Schedule schedule;
    try {
        schedule = record(recipe, call, placement);
    } catch (const Error& error) {
        ADD_FAILURE() << "refused: " << error.what();
        return;
    }
    const Verdict verdict = check(schedule, {.collective = call.collective,
                                             .count = call.count,
                                             .root = call.root,
                                             .in_order = call.operation.in_order});
    EXPECT_TRUE(verdict) << verdict.reason;
    expect_to_keep_to_the_block(schedule, call);
    ++proved;
}

struct Case {
    Collective collective;
    const char* recipe;
    bool uniform = false, in_order = false;
};

std::vector<std::size_t> counts(Collective collective, int p) {
    const auto n = std::size_t(p);
    if (collective == Collective::alltoall) return {0, n, 3 * n};
    const std::set<std::size_t> all{0, 1, n - 1, n, 2 * n, 100};
    return {all.begin(), all.end()};
}

TEST(BlockShapes, ServeEveryRankCountRootAndLength) {
    proved = 0;
    for (const auto& [collective, text, uniform, in_order] :
         {Case{Collective::allgather, "leaders(sqrt, binomial, ring)"},
          {Collective::allgather, "positions(sqrt, circulant, doubling)"},
          {Collective::allgather, "positions(size=4, ring, kring)"},
          {Collective::allgather, "lanes(size=3, ring, circulant)", true},
          {Collective::gather, "leaders(sqrt, binomial, linear)"},
          {Collective::gather, "leaders(size=5, linear, binomial)"},
          {Collective::scatter, "leaders(sqrt, binomial, linear)"},
          {Collective::scatter, "leaders(size=5, linear, binomial)"},
          {Collective::reduce_scatter, "leaders(sqrt, binomial, ring)"},
          {Collective::reduce_scatter, "leaders(size=3, binomial, halving)", false, true},
          {Collective::reduce_scatter, "lanes(size=3, circulant, pairwise)", true},
          {Collective::alltoall, "positions(size=3, linear, bruck)", true},
          {Collective::alltoall, "leaders(size=3, binomial, pairwise)", true}})
        for (int p = uniform ? 3 : 1; p <= 33; p += uniform ? 3 : 1)
            for (int root = 0; root<(rooted(collective) ? p : 1); root += p> 9 ? 5 : 1)
                for (const std::size_t count : counts(collective, p))
                    expect_proved(Recipe::parse(text),
                                  {.collective = collective,
                                   .count = count,
                                   .root = root,
                                   .operation = {in_order, true}},
                                  dealt_out(p, 1));
    EXPECT_GT(proved, 4000);
}

TEST(BlockShapes, ServeRanksThatAreDealtOutToNodes) {
    proved = 0;
    for (const auto& [collective, text, uniform, in_order] :
         {Case{Collective::allgather, "leaders(node, linear+chain, circulant)"},
          {Collective::allgather, "positions(node, ring, ring)"},
          {Collective::allgather, "lanes(node, doubling, ring)", true},
          {Collective::gather, "leaders(node, binomial, binomial)"},
          {Collective::scatter, "leaders(node, binomial, binomial)"},
          {Collective::reduce_scatter, "leaders(node, chain, circulant)"},
          {Collective::reduce_scatter, "lanes(node, ring, halving)", true},
          {Collective::alltoall, "positions(node, bruck, pairwise)", true},
          {Collective::alltoall, "leaders(node, linear+binomial, linear)", true}})
        for (int p = 2; p <= 33; ++p)
            for (const int nodes : {2, 3, 5}) {
                if (nodes > p || (uniform && p % nodes != 0)) continue;
                for (int root = 0; root<(rooted(collective) ? p : 1); root += p> 9 ? 7 : 1)
                    for (const std::size_t count : counts(collective, p))
                        expect_proved(Recipe::parse(text),
                                      {.collective = collective, .count = count, .root = root},
                                      dealt_out(p, nodes));
            }
    EXPECT_GT(proved, 4000);
}

/// Every algorithm inside and between.
TEST(BlockShapes, TakeEveryAlgorithm) {
    proved = 0;
    const auto names = [](Collective collective) {
        std::vector<std::string> all;
        for (const auto& row : catalog())
            if (row.collective == collective) all.emplace_back(row.name);
        return all;
    };
    const auto all = [&](const char* shape, Collective collective, Collective inner) {
        int turn = 0;
        for (const auto& first : names(inner))
            for (const auto& second : names(collective))
                for (const char* groups : {"sqrt", "node"}) {
                    const bool uniform = std::string(shape) == "lanes" || collective == Collective::alltoall;
                    const int p = uniform ? 4 * (1 + turn++ % 8) : 2 + turn++ % 32;
                    const std::string nodes = std::string(groups) == "sqrt" && p % 4 == 0 ? "size=4" : groups;
                    expect_proved(
                        Recipe::parse(std::string(shape) + '(' + nodes + ", " + first + ", " + second + ')'),
                        {.collective = collective,
                         .count = std::size_t(2 * p + (collective == Collective::alltoall ? 0 : 1)),
                         .root = rooted(collective) ? turn % p : 0},
                        dealt_out(p, p > 3 ? (p % 4 == 0 ? 4 : 3) : 2));
                }
    };
    all("leaders", Collective::gather, Collective::gather);
    all("leaders", Collective::scatter, Collective::scatter);
    all("leaders", Collective::allgather, Collective::bcast);
    all("leaders", Collective::reduce_scatter, Collective::reduce);
    all("positions", Collective::allgather, Collective::allgather);
    all("lanes", Collective::allgather, Collective::allgather);
    all("lanes", Collective::reduce_scatter, Collective::reduce_scatter);
    all("leaders", Collective::alltoall, Collective::gather);
    all("positions", Collective::alltoall, Collective::alltoall);
    EXPECT_GT(proved, 250);
}

TEST(BlockShapes, NestToAnyDepth) {
    proved = 0;
    for (int p = 1; p <= 27; ++p)
        for (
            const auto& [collective, text, uniform, in_order] :
            {Case{Collective::allgather, "leaders(size=3, binomial, leaders(size=2, binomial, ring))"},
             {Collective::allgather,
              "positions(size=4, leaders(size=3, ring, doubling), positions(sqrt, ring, ring))"},
             {Collective::gather,
              "leaders(size=4, leaders(size=2, binomial, linear), leaders(sqrt, linear, binomial))"},
             {Collective::scatter,
              "leaders(size=4, leaders(size=2, binomial, linear), leaders(sqrt, linear, binomial))"},
             {Collective::reduce_scatter,
              "leaders(size=3, leaders(size=2, chain, binomial)+linear, leaders(sqrt, binomial, circulant))"}})
            for (int root = 0; root < (rooted(collective) ? p : 1); root += 3)
                expect_proved(Recipe::parse(text),
                              {.collective = collective, .count = std::size_t(3 * p + 2), .root = root},
                              dealt_out(p, 1));
    EXPECT_GT(proved, 200);
}

TEST(BlockShapes, RefuseWhatTheyCannotServe) {
    const auto reason = [](const char* recipe, Collective collective, int p) -> std::string {
        try {
            (void)resolve(Recipe::parse(recipe), collective, dealt_out(p, 1), 0, {});
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(
        reason("lanes(size=3, ring, ring)", Collective::allgather, 8),
        "lanes(size=3, ring, ring): its groups are not equally large, and allgather in this shape needs that");
    EXPECT_EQ(
        reason("positions(size=3, linear, linear)", Collective::alltoall, 8),
        "positions(size=3, linear, linear): its groups are not equally large, and alltoall in this shape needs that");
    EXPECT_EQ(
        reason("leaders(size=2, binomial, ring, seg=1K)", Collective::allgather, 8),
        "leaders(size=2, binomial, ring, seg=1K): seg= cuts a vector that all ranks work on, and in allgather "
        "each has a block of its own");
    for (const auto& [shape, collective] : {std::pair{"lanes", Collective::alltoall},
                                            {"positions", Collective::gather},
                                            {"lanes", Collective::scatter}})
        EXPECT_EQ(reason((std::string(shape) + "(size=2, native, native)").c_str(), collective, 8),
                  std::string(shape) + "(size=2, native, native): this shape does not serve " +
                      std::string(name(collective)));
    EXPECT_EQ(reason("lanes(size=4, ring, ring)", Collective::allgather, 8), "");
}

/// What a shape is for: few messages between the nodes. Here 3 nodes of 4 ranks, dealt out.
TEST(BlockShapes, SendFewerMessagesBetweenNodes) {
    const Placement placement = dealt_out(12, 3);
    const auto between = [&](const char* recipe, Collective collective) {
        int messages = 0;
        const Schedule schedule =
            record(Recipe::parse(recipe), {.collective = collective, .count = 24}, placement);
        for (int rank = 0; rank < 12; ++rank) {
            const Program& program = schedule.ranks[std::size_t(rank)];
            for (const Step& step : program.strands.front())
                if (step.kind == Step::Kind::send && program.peer_of(step) % 3 != rank % 3) ++messages;
        }
        return messages;
    };
    EXPECT_EQ(between("linear", Collective::gather), 8);
    EXPECT_EQ(between("leaders(node, linear, linear)", Collective::gather), 2);
    EXPECT_EQ(between("leaders(node, linear, linear)", Collective::scatter), 2);
    EXPECT_EQ(between("ring", Collective::allgather), 12 * 11);
    EXPECT_EQ(between("leaders(node, linear+flat_tree, ring)", Collective::allgather), 3 * 2);
    EXPECT_EQ(between("lanes(node, ring, ring)", Collective::allgather), 4 * 3 * 2);
    EXPECT_EQ(between("pairwise", Collective::alltoall), 12 * 8);
    EXPECT_EQ(between("positions(node, pairwise, pairwise)", Collective::alltoall), 12 * 2);
    EXPECT_EQ(between("leaders(node, binomial, pairwise)", Collective::alltoall), 3 * 2);
}

}  // namespace
}  // namespace echelon
