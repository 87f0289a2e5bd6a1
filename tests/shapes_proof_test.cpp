// SPDX-License-Identifier: Apache-2.0
/// Every shape with every algorithm in it, proved for uneven groups, interleaved ranks, every root and odd
/// counts; its refusals; its saving of messages between nodes.
#include "core/error.hpp"
#include "hier/recorded_team.hpp"
#include "hier/shapes.hpp"
#include "support/proof.hpp"
#include "support/refusal.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace echelon {
namespace {

/// Rank r sits on node r mod `nodes`.
Placement dealt_out(int p, int nodes = 1) {
    std::vector<Location> locations;
    for (int rank = 0; rank < p; ++rank) locations.push_back({.node = std::uint64_t(rank % nodes)});
    return Placement::from(locations);
}

/// In a gather or scatter, a rank other than the root has only its block of the vector. The root of a scatter
/// does not write.
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

/// Numbers of proved and of refused recipes.
struct Tally {
    int proved = 0, refused = 0;

    /// `starts`: of the blocks, and the end of the last one; empty: blocks are equal.
    void prove(const Recipe& recipe, Call call, const Placement& placement,
               const std::vector<std::size_t>& starts = {}) {
        if (!starts.empty()) call.given = GivenBlocks{Blocks({0, call.count}, starts)};
        Schedule schedule;
        try {
            schedule = record(recipe, call, placement);
        } catch (const Error&) {
            ++refused;
            return;
        }
        const testing::ScopedTrace trace(
            __FILE__, __LINE__,
            std::string(name(call.collective)) + ' ' + to_string(recipe) +
                ", p = " + std::to_string(placement.size()) + ", count = " + std::to_string(call.count) +
                ", root = " + std::to_string(call.root) + (call.operation.in_order ? ", in order" : "") +
                (starts.empty() ? "" : ", uneven blocks"));
        const Verdict verdict = check(schedule, {.collective = call.collective,
                                                 .count = call.count,
                                                 .root = call.root,
                                                 .starts = starts,
                                                 .in_order = call.operation.in_order});
        EXPECT_TRUE(verdict) << verdict.reason;
        expect_to_keep_to_the_block(schedule, call);
        ++proved;
    }
};

std::vector<std::string> names(Collective collective) {
    std::vector<std::string> all;
    for (const Algorithm& row : catalog(collective))
        if (!row.exact_operations_only) all.emplace_back(row.name);
    return all;
}

/// Every algorithm that may run inside, at least once; in pairs if there are two inner phases.
std::vector<std::string> inner_names(const ShapeRow& row) {
    std::vector<std::string> all;
    for (std::size_t phase = 0; phase < row.phase_count(); ++phase) {
        if (phase == row.outer()) continue;
        const auto here = names(row.phase(phase).what);
        if (all.empty()) {
            all = here;
            continue;
        }
        const auto before = all;
        all.resize(std::max(before.size(), here.size()));
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = before[i % before.size()] + '+' + here[i % here.size()];
    }
    return all;
}

Recipe recipe_of(const ShapeRow& row, const std::string& groups, const std::string& inner,
                 const std::string& outer) {
    return Recipe::parse(std::string(name(row.shape)) + '(' + groups + ", " + inner + ", " + outer + ')');
}

class Shapes : public testing::TestWithParam<const ShapeRow*> {};

TEST_P(Shapes, TakeEveryAlgorithm) {
    const ShapeRow& row = *GetParam();
    const bool equal = row.needs == ShapeRow::Needs::equal_groups;
    const std::vector<std::string> divisions =
        equal                     ? std::vector<std::string>{"size=4", "node"}
        : reduces(row.collective) ? std::vector<std::string>{"sqrt", "G=2", "size=3"}
                                  : std::vector<std::string>{"sqrt", "G=2", "size=3", "node"};
    Tally tally;
    int turn = 0;  // one number of ranks a pair, all in turn: the sizes of groups meet every algorithm
    for (const auto& inner : inner_names(row))
        for (const auto& outer : names(row.phase(row.outer()).what))
            for (const auto& groups : divisions) {
                ++turn;
                const int p = equal ? 4 * (1 + turn % 8) : 2 + turn % 32;
                const bool uneven = in_blocks(row.collective) && row.collective != Collective::alltoall;
                std::size_t count = std::size_t(p + turn % 3);
                if (row.collective == Collective::alltoall) count = std::size_t(2 * p);
                if (row.collective == Collective::barrier) count = 0;
                for (const bool in_order : {false, true})
                    if (!in_order || reduces(row.collective))
                        tally.prove(recipe_of(row, groups, inner, outer),
                                    {.collective = row.collective,
                                     .count = count,
                                     .root = rooted(row.collective) ? turn % p : 0,
                                     .operation = {in_order, true}},
                                    dealt_out(p, groups != "node" ? 1
                                                 : p % 4 == 0     ? 4
                                                                  : 2),
                                    uneven && turn % 2 == 0
                                        ? starts_to_prove(p, count)[std::size_t(turn / 2 % 3)]
                                        : std::vector<std::size_t>{});
            }
    EXPECT_GE(tally.proved, tally.refused);
    EXPECT_GT(tally.proved, 10);
}

/// The first algorithm of its collective for each phase. Covers rows that no other test knows.
TEST_P(Shapes, ServeAnyNumberOfRanks) {
    const ShapeRow& row = *GetParam();
    const auto plain = [](Collective collective) {
        const auto rows = catalog(collective);
        return std::string(std::ranges::find(rows, false, &Algorithm::in_window)->name);
    };
    std::string inner;
    for (std::size_t i = 0; i < row.phase_count(); ++i)
        if (i != row.outer()) inner += (inner.empty() ? "" : "+") + plain(row.phase(i).what);
    Tally tally;
    for (int p = 1; p <= 33; ++p)
        for (const char* groups : {"sqrt", "G=2", "size=3"})
            for (int root = 0; root < (rooted(row.collective) ? p : 1); root += 5)
                tally.prove(recipe_of(row, groups, inner, plain(row.phase(row.outer()).what)),
                            {.collective = row.collective,
                             .count = row.collective == Collective::barrier ? 0 : std::size_t(2 * p),
                             .root = root},
                            dealt_out(p));
    EXPECT_GT(tally.proved, 30);
}

std::vector<const ShapeRow*> all_shapes() {
    std::vector<const ShapeRow*> rows;
    for (const ShapeRow& row : shape_rows()) rows.push_back(&row);
    return rows;
}

INSTANTIATE_TEST_SUITE_P(Rows, Shapes, testing::ValuesIn(all_shapes()), [](const auto& row) {
    return std::string(name(row.param->shape)) + '_' + std::string(name(row.param->collective));
});

struct Case {
    Collective collective;
    const char* recipe;
    /// Requires equal groups of three.
    bool equal = false;
    bool in_order = false;
};

/// Good recipes: every p, root and count.
TEST(Shapes, ServeEveryRankCountRootAndLength) {
    using enum Collective;
    Tally tally;
    for (const auto& [collective, recipe, equal, in_order] :
         {Case{reduce, "leaders(sqrt, binomial, binomial)"},
          {reduce, "lanes(sqrt, ring, binomial)"},
          {reduce, "positions(sqrt, ring, binomial)"},
          {bcast, "leaders(sqrt, binomial, binomial)"},
          {bcast, "lanes(sqrt, ring, binomial)"},
          {bcast, "positions(sqrt, binomial, binomial)"},
          {allreduce, "leaders(sqrt, binomial, recursive_doubling)"},
          {allreduce, "lanes(sqrt, ring, ring)"},
          {allreduce, "positions(sqrt, ring, recursive_doubling)"},
          {barrier, "leaders(sqrt, binomial, dissemination)"},
          {allgather, "leaders(sqrt, binomial, ring)"},
          {allgather, "positions(sqrt, circulant, doubling)"},
          {allgather, "positions(size=4, ring, kring)"},
          {allgather, "lanes(size=3, ring, circulant)", true},
          {gather, "leaders(sqrt, binomial, linear)"},
          {gather, "leaders(size=5, linear, binomial)"},
          {scatter, "leaders(sqrt, binomial, linear)"},
          {scatter, "leaders(size=5, linear, binomial)"},
          {reduce_scatter, "leaders(sqrt, binomial, ring)"},
          {reduce_scatter, "leaders(size=3, binomial, halving)", false, true},
          {reduce_scatter, "lanes(size=3, circulant, pairwise)", true},
          {alltoall, "positions(size=3, linear, bruck)", true},
          {alltoall, "leaders(size=3, binomial, pairwise)", true},
          {scan, "leaders(sqrt, recursive_doubling+binomial, recursive_doubling)", false, true},
          {scan, "leaders(G=1, recursive_doubling+flat_tree, recursive_doubling)", false, true},
          {scan, "leaders(size=4, chain(seg=16), recursive_doubling)", false, true},
          {scan, "leaders(size=2, recursive_doubling+binary, recursive_doubling, seg=16)", false, true},
          {exscan, "leaders(sqrt, recursive_doubling+binomial, recursive_doubling)", false, true},
          {exscan, "leaders(size=3, recursive_doubling+chain, recursive_doubling)", false, true},
          {exscan, "leaders(size=2, recursive_doubling+binary, recursive_doubling, seg=16)", false, true}})
        for (int p = equal ? 3 : 1; p <= 33; p += equal ? 3 : 1)
            for (const int root : roots_to_prove(collective, p))
                for (const std::size_t count : counts_to_prove(collective, p))
                    tally.prove(Recipe::parse(recipe),
                                {.collective = collective,
                                 .count = count,
                                 .element_size = 8,
                                 .root = root,
                                 .operation = {in_order, !in_order}},
                                dealt_out(p));
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 8000);
}

/// Ranks may have blocks of any length, also none.
TEST(Shapes, ServeBlocksOfAnyLength) {
    using enum Collective;
    Tally tally;
    for (const auto& [collective, recipe, equal, in_order] :
         {Case{allgather, "leaders(sqrt, binomial, ring)"},
          {allgather, "leaders(size=3, linear+chain, leaders(size=2, binomial, bine))"},
          {allgather, "positions(sqrt, circulant, doubling)"},
          {allgather, "positions(size=4, ring, kring)"},
          {allgather, "lanes(size=3, bine, circulant)", true},
          {gather, "leaders(sqrt, binomial, linear)"},
          {scatter, "leaders(size=5, bine, binomial)"},
          {reduce_scatter, "leaders(size=3, binomial, halving)", false, true},
          {reduce_scatter, "lanes(size=3, circulant, pairwise)", true}})
        for (int p = equal ? 3 : 1; p <= 33; p += equal ? 3 : 1)
            for (const int nodes : {1, 3})
                for (const int root : roots_to_prove(collective, p))
                    for (const std::size_t count : counts_to_prove(collective, p))
                        for (const auto& starts : starts_to_prove(p, count))
                            tally.prove(Recipe::parse(recipe),
                                        {.collective = collective,
                                         .count = count,
                                         .root = root,
                                         .operation = {in_order, !in_order}},
                                        dealt_out(p, nodes), starts);
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 10000);
}

/// A barrier's phases are a reduce and a bcast of no elements: any algorithm for these makes ranks hear of
/// each other.
TEST(Shapes, AreBarriersWhereTheyServeNothing) {
    Tally tally;
    const auto wait = [&](const std::string& inner, const std::string& outer) {
        const int p = 9 + tally.proved % 18;
        for (const char* groups : {"sqrt", "ranks=1+4+2+0;3"})
            tally.prove(Recipe::parse("leaders(" + std::string(groups) + ", " + inner + ", " + outer + ")"),
                        {.collective = Collective::barrier, .count = 0}, dealt_out(*groups == 's' ? p : 5));
    };
    std::vector<std::string> barriers = names(Collective::barrier);
    barriers.emplace_back("native");
    std::size_t turn = 0;
    for (const ShapeRow& row : shape_rows()) {
        if (row.collective != Collective::reduce && row.collective != Collective::bcast) continue;
        auto inner = inner_names(row), outer = names(row.phase(row.outer()).what);
        inner.emplace_back("native");
        outer.emplace_back("native");
        for (const auto& a : inner)
            for (const auto& b : outer) {
                const std::string part = to_string(recipe_of(row, "size=2", a, b));
                wait(row.collective == Collective::reduce ? part + "+binomial" : "binomial+" + part,
                     barriers[turn++ % barriers.size()]);
            }
    }
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 500);
}

TEST(Shapes, ServeUnevenAndInterleavedNodes) {
    Tally tally;
    for (const char* machine :
         {"a a a b c c", "a b a b a b b", "a b c a b a", "a b b b b b b b", "b a a a a c c d"})
        for (const auto collective : {Collective::reduce, Collective::bcast, Collective::allreduce})
            for (const char* shape : {"leaders", "positions", "lanes"}) {
                const bool lanes = std::string(shape) == "lanes", all = collective == Collective::allreduce;
                const char* inner = lanes ? "ring" : "binomial";
                const Recipe recipe = Recipe::parse(std::string(shape) + "(node, " + inner + ", " +
                                                    (all ? "ring" : "binomial") + ")");
                const Placement placement = placements(machine);
                for (int root = 0; root < placement.size(); ++root)
                    tally.prove(recipe, {.collective = collective, .count = 13, .root = root}, placement);
            }
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 250);
}

TEST(Shapes, ServeRanksThatAreDealtOutToNodes) {
    using enum Collective;
    Tally tally;
    for (const auto& [collective, recipe, equal, in_order] :
         {Case{allgather, "leaders(node, linear+chain, circulant)"},
          {allgather, "positions(node, ring, ring)"},
          {allgather, "lanes(node, doubling, ring)", true},
          {gather, "leaders(node, binomial, binomial)"},
          {scatter, "leaders(node, binomial, binomial)"},
          {reduce_scatter, "leaders(node, chain, circulant)"},
          {reduce_scatter, "lanes(node, ring, halving)", true},
          {alltoall, "positions(node, bruck, pairwise)", true},
          {alltoall, "leaders(node, linear+binomial, linear)", true}})
        for (int p = 2; p <= 33; ++p)
            for (const int nodes : {2, 3, 5}) {
                if (nodes > p || (equal && p % nodes != 0)) continue;
                for (const int root : roots_to_prove(collective, p))
                    for (const std::size_t count : counts_to_prove(collective, p))
                        tally.prove(Recipe::parse(recipe),
                                    {.collective = collective, .count = count, .root = root},
                                    dealt_out(p, nodes));
            }
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 4000);
}

TEST(Shapes, NestToAnyDepth) {
    using enum Collective;
    Tally tally;
    for (int p = 1; p <= 27; ++p)
        for (
            const auto& [collective, recipe] :
            {std::pair{allreduce,
                       "leaders(sqrt, leaders(sqrt, binomial, binomial), leaders(sqrt, binomial, ring))"},
             {allreduce,
              "lanes(size=4, ring, lanes(sqrt, halving+doubling, leaders(size=2, binomial, ring)))"},
             {reduce, "leaders(size=3, chain, leaders(size=3, binomial, flat_tree))"},
             {bcast, "positions(size=4, leaders(size=2, binomial, chain), lanes(size=2, ring, binomial))"},
             {allgather, "leaders(size=3, binomial, leaders(size=2, binomial, ring))"},
             {allgather, "positions(size=4, leaders(size=3, ring, doubling), positions(sqrt, ring, ring))"},
             {gather, "leaders(size=4, leaders(size=2, binomial, linear), leaders(sqrt, linear, binomial))"},
             {scatter, "leaders(size=4, leaders(size=2, binomial, linear), leaders(sqrt, linear, binomial))"},
             {reduce_scatter,
              "leaders(size=3, leaders(size=2, chain, binomial)+linear, leaders(sqrt, binomial, circulant))"},
             {scan,
              "leaders(size=5, leaders(size=2, recursive_doubling+binomial, recursive_doubling)+binomial, "
              "leaders(size=2, recursive_doubling+binomial, recursive_doubling))"}})
            for (int root = 0; root < (rooted(collective) ? p : 1); root += 2)
                tally.prove(Recipe::parse(recipe),
                            {.collective = collective, .count = std::size_t(3 * p + 2), .root = root},
                            dealt_out(p));
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 400);
}

TEST(Shapes, PipelineSegmentsAcrossTheLevels) {
    Tally tally;
    for (int p = 2; p <= 17; ++p)
        for (const auto& [collective, recipe] :
             {std::pair{Collective::allreduce, "leaders(sqrt, binomial, ring, seg=8)"},
              {Collective::allreduce, "lanes(size=3, ring, recursive_doubling, seg=24)"},
              {Collective::allreduce, "positions(sqrt, ring, recursive_doubling, seg=16)"},
              {Collective::reduce, "leaders(size=3, binomial, binomial, seg=8)"},
              {Collective::bcast, "leaders(size=3, binomial, chain, seg=8)"},
              {Collective::bcast, "lanes(sqrt, ring, binomial, seg=16)"}})
            for (int root = 0; root < (rooted(collective) ? p : 1); ++root)
                for (const std::size_t count : {std::size_t(1), std::size_t(40)})
                    tally.prove(Recipe::parse(recipe),
                                {.collective = collective, .count = count, .element_size = 4, .root = root},
                                dealt_out(p));
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 500);
}

TEST(Shapes, OneGroupAndGroupsOfOneSendExactlyTheFlatMessages) {
    for (int p = 2; p <= 9; ++p) {
        const auto recorded = [&](const std::string& recipe) {
            return to_string(record(Recipe::parse(recipe), {.collective = Collective::allreduce, .count = 20},
                                    dealt_out(p)));
        };
        EXPECT_EQ(recorded("leaders(G=1, ring, binomial)"), recorded("ring"));
        EXPECT_EQ(recorded("leaders(G=" + std::to_string(p) + ", binomial, ring)"), recorded("ring"));
        EXPECT_EQ(recorded("positions(G=1, ring, binomial)"), recorded("ring"));
    }
}

TEST(Shapes, RefuseWhatTheyCannotServe) {
    const auto reason = [](const std::string& recipe, Collective collective, int p) {
        return refusal([&] { return resolve(Recipe::parse(recipe), collective, dealt_out(p), 0, {}); });
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
        EXPECT_EQ(reason(std::string(shape) + "(size=2, native, native)", collective, 8),
                  std::string(shape) + "(size=2, native, native): this shape does not serve " +
                      std::string(name(collective)));
    EXPECT_EQ(
        reason("leaders(ranks=0+2;1+3, chain, recursive_doubling)", Collective::scan, 4),
        "leaders(ranks=0+2;1+3, chain, recursive_doubling): its groups are not runs of consecutive ranks, "
        "and this call needs rank order");
    EXPECT_EQ(reason("lanes(size=4, ring, ring)", Collective::allgather, 8), "");
}

/// A shape sends few messages between the nodes. Here 3 nodes of 4 ranks, dealt cyclically.
TEST(Shapes, SendFewerMessagesBetweenNodes) {
    const auto messages = [](const char* recipe, Collective collective, const Placement& placement,
                             const auto& group) {
        int found = 0;
        const Schedule schedule =
            record(Recipe::parse(recipe), {.collective = collective, .count = 24}, placement);
        for (int rank = 0; rank < placement.size(); ++rank) {
            const Program& program = schedule.ranks[std::size_t(rank)];
            for (const Step& step : program.strands.front())
                if (step.kind == Step::Kind::send && group(program.peer_of(step)) != group(rank)) ++found;
        }
        return found;
    };
    const auto between = [&](const char* recipe, Collective collective) {
        return messages(recipe, collective, dealt_out(12, 3), [](int rank) { return rank % 3; });
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
    // In a scan only sums cross: an exscan among 4 leaders. Plain recursive doubling sends 15 + 14 + 12 + 8
    // messages, most of them across.
    EXPECT_EQ(messages("leaders(size=4, recursive_doubling+binomial, recursive_doubling)", Collective::scan,
                       dealt_out(16), [](int rank) { return rank / 4; }),
              3 + 2);
}

}  // namespace
}  // namespace echelon
