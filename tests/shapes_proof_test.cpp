// SPDX-License-Identifier: Apache-2.0
/// Every shape with every pair of algorithms, proved for uneven groups, every root and odd counts.
#include "core/checker.hpp"
#include "core/error.hpp"
#include "hier/recorded_team.hpp"
#include "hier/shapes.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <set>

namespace echelon {
namespace {

Placement ranks(int p) { return Placement::from(std::vector<Location>(std::size_t(p))); }

Claim claim_of(const Call& call) {
    return {.collective = call.collective,
            .count = call.count,
            .root = call.root,
            .in_order = call.operation.in_order};
}

/// How often a recipe was proved and how often refused.
struct Tally {
    int proved = 0, refused = 0;
};

void prove(const Recipe& recipe, const Call& call, const Placement& placement, Tally& tally) {
    Schedule schedule;
    try {
        schedule = record(recipe, call, placement);
    } catch (const Error&) {
        ++tally.refused;
        return;
    }
    const Verdict verdict = check(schedule, claim_of(call));
    EXPECT_TRUE(verdict) << name(call.collective) << ' ' << to_string(recipe) << ", p = " << placement.size()
                         << ", count = " << call.count << ", root = " << call.root
                         << (call.operation.in_order ? ", in order: " : ": ") << verdict.reason;
    ++tally.proved;
}

std::vector<std::string> names(Collective collective) {
    std::vector<std::string> all;
    for (const auto& row : catalog())
        if (row.collective == collective && !row.exact_operations_only) all.emplace_back(row.name);
    return all;
}

/// Names that can stand inside and outside of a shape for a collective.
struct Pairing {
    const char* shape;
    Collective collective;
    std::vector<std::string> inner, outer;
};

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b,
                                const std::string& between) {
    std::vector<std::string> all;
    for (const auto& first : a)
        for (const auto& second : b) all.push_back(first + between + second);
    return all;
}

std::vector<Pairing> pairings() {
    using enum Collective;
    std::vector<Pairing> all;
    for (const Collective collective : {reduce, bcast, allreduce})
        for (const char* shape : {"leaders", "positions", "lanes"}) {
            Pairing pairing{shape, collective, names(collective), names(collective)};
            const std::string which(shape);
            if (which == "leaders" && collective == allreduce)
                pairing.inner = {"binomial", "chain", "flat_tree+binary", "ring+scatter_allgather",
                                 "rabenseifner+knomial"};
            if (which == "positions" && collective == reduce) pairing.inner = names(allreduce);
            if (which == "lanes" && collective == allreduce)
                pairing.inner = joined(names(reduce_scatter), names(allgather), "+");
            if (which == "lanes" && collective == reduce) pairing.inner = names(reduce_scatter);
            if (which == "lanes" && collective == bcast) pairing.inner = names(allgather);
            all.push_back(pairing);
        }
    return all;
}

class Shapes : public testing::TestWithParam<Pairing> {};

TEST_P(Shapes, AreProvedForEveryPair) {
    const Pairing& pairing = GetParam();
    Tally tally;
    for (const auto& inner : pairing.inner)
        for (const auto& outer : pairing.outer) {
            // One number of ranks a pair, all of 2 .. 33 in turn: the sizes of groups meet every algorithm.
            static int turn = 0;
            for (const char* groups : {"sqrt", "G=2", "size=3"}) {
                const int p = 2 + turn++ % 32;
                if (p < 2) continue;
                const Recipe recipe = Recipe::parse(std::string(pairing.shape) + '(' + groups + ", " + inner +
                                                    ", " + outer + ')');
                for (const bool in_order : {false, true}) {
                    const int root = rooted(pairing.collective) ? turn % p : 0;
                    prove(recipe,
                          {.collective = pairing.collective,
                           .count = std::size_t(p + turn % 3),
                           .root = root,
                           .operation = {in_order, true}},
                          ranks(p), tally);
                }
            }
        }
    EXPECT_GT(tally.proved, tally.refused);
    EXPECT_GT(tally.proved, 20);
}

INSTANTIATE_TEST_SUITE_P(AllPairs, Shapes, testing::ValuesIn(pairings()), [](const auto& pairing) {
    return std::string(pairing.param.shape) + '_' + std::string(name(pairing.param.collective));
});

/// The first algorithm of its collective for each phase: also of a row that no other test knows.
Recipe plain_recipe(const ShapeRow& row, const char* groups) {
    std::string inner, outer;
    for (std::size_t i = 0; i < row.phase_count(); ++i) {
        const auto rows = catalog(row.phase(i).what);
        const auto first = std::ranges::find_if(rows, [](const Algorithm& one) { return !one.in_window; });
        std::string& text = i == row.outer() ? outer : inner;
        text += (text.empty() ? "" : "+") + std::string(first->name);
    }
    return Recipe::parse(std::string(name(row.shape)) + '(' + groups + ", " + inner + ", " + outer + ')');
}

TEST(Shapes, EveryRowOfTheTableIsProved) {
    for (const ShapeRow& row : shape_rows()) {
        Tally tally;
        for (int p = 1; p <= 33; ++p)
            for (const char* groups : {"sqrt", "G=2", "size=3"})
                for (int root = 0; root < (rooted(row.collective) ? p : 1); root += 5)
                    prove(plain_recipe(row, groups),
                          {.collective = row.collective,
                           .count = row.collective == Collective::barrier ? 0 : std::size_t(2 * p),
                           .root = root},
                          ranks(p), tally);
        EXPECT_GT(tally.proved, 30) << to_string(plain_recipe(row, "sqrt")) << " as " << name(row.collective);
    }
}

/// One good recipe a shape and collective: every p, root and count.
TEST(Shapes, ServeEveryRankCountRootAndLength) {
    Tally tally;
    for (const auto& [collective, text] :
         {std::pair{Collective::reduce, "leaders(sqrt, binomial, binomial)"},
          {Collective::reduce, "lanes(sqrt, ring, binomial)"},
          {Collective::reduce, "positions(sqrt, ring, binomial)"},
          {Collective::bcast, "leaders(sqrt, binomial, binomial)"},
          {Collective::bcast, "lanes(sqrt, ring, binomial)"},
          {Collective::bcast, "positions(sqrt, binomial, binomial)"},
          {Collective::allreduce, "leaders(sqrt, binomial, recursive_doubling)"},
          {Collective::allreduce, "lanes(sqrt, ring, ring)"},
          {Collective::allreduce, "positions(sqrt, ring, recursive_doubling)"},
          {Collective::barrier, "leaders(sqrt, binomial, dissemination)"}}) {
        const Recipe recipe = Recipe::parse(text);
        for (int p = 1; p <= 33; ++p)
            for (int root = 0; root < (rooted(collective) ? std::min(p, 9) : 1); ++root)
                for (const std::size_t count :
                     std::set<std::size_t>{0, 1, std::size_t(p - 1), std::size_t(p), std::size_t(p + 1), 100})
                    prove(recipe, {.collective = collective, .count = count, .root = root}, ranks(p), tally);
    }
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 5000);
}

/// A barrier's phases are a reduce and a bcast of nothing: whatever serves these has ranks hear of each other.
TEST(Shapes, AreBarriersWhereTheyServeNothing) {
    Tally tally;
    const auto wait = [&](const std::string& inner, const std::string& outer) {
        const int p = 9 + tally.proved % 18;
        for (const char* groups : {"sqrt", "ranks=1+4+2+0;3"})
            prove(Recipe::parse("leaders(" + std::string(groups) + ", " + inner + ", " + outer + ")"),
                  {.collective = Collective::barrier, .count = 0}, ranks(*groups == 's' ? p : 5), tally);
    };
    std::vector<std::string> barriers = names(Collective::barrier);
    barriers.emplace_back("native");
    std::size_t turn = 0;
    for (const Pairing& pairing : pairings()) {
        if (pairing.collective == Collective::allreduce) continue;
        const bool up = pairing.collective == Collective::reduce;
        auto inner = pairing.inner, outer = pairing.outer;
        inner.emplace_back("native");
        outer.emplace_back("native");
        for (const auto& a : inner)
            for (const auto& b : outer) {
                const std::string part = std::string(pairing.shape) + "(size=2, " + a + ", " + b + ")";
                wait(up ? part + "+binomial" : "binomial+" + part, barriers[turn++ % barriers.size()]);
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
                    prove(recipe, {.collective = collective, .count = 13, .root = root}, placement, tally);
            }
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 250);
}

TEST(Shapes, NestToAnyDepth) {
    Tally tally;
    for (int p = 1; p <= 27; ++p)
        for (const auto& [collective, text] :
             {std::pair{Collective::allreduce,
                        "leaders(sqrt, leaders(sqrt, binomial, binomial), leaders(sqrt, binomial, ring))"},
              {Collective::allreduce,
               "lanes(size=4, ring, lanes(sqrt, halving+doubling, leaders(size=2, binomial, ring)))"},
              {Collective::reduce, "leaders(size=3, chain, leaders(size=3, binomial, flat_tree))"},
              {Collective::bcast,
               "positions(size=4, leaders(size=2, binomial, chain), lanes(size=2, ring, binomial))"}})
            for (int root = 0; root < (rooted(collective) ? p : 1); root += 2)
                prove(Recipe::parse(text), {.collective = collective, .count = 7, .root = root}, ranks(p),
                      tally);
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 200);
}

TEST(Shapes, PipelineSegmentsAcrossTheLevels) {
    Tally tally;
    for (int p = 2; p <= 17; ++p)
        for (const auto& [collective, text] :
             {std::pair{Collective::allreduce, "leaders(sqrt, binomial, ring, seg=8)"},
              {Collective::allreduce, "lanes(size=3, ring, recursive_doubling, seg=24)"},
              {Collective::allreduce, "positions(sqrt, ring, recursive_doubling, seg=16)"},
              {Collective::reduce, "leaders(size=3, binomial, binomial, seg=8)"},
              {Collective::bcast, "leaders(size=3, binomial, chain, seg=8)"},
              {Collective::bcast, "lanes(sqrt, ring, binomial, seg=16)"}})
            for (int root = 0; root < (rooted(collective) ? p : 1); ++root)
                for (const std::size_t count : {std::size_t(1), std::size_t(40)})
                    prove(Recipe::parse(text),
                          {.collective = collective, .count = count, .element_size = 4, .root = root},
                          ranks(p), tally);
    EXPECT_EQ(tally.refused, 0);
    EXPECT_GT(tally.proved, 500);
}

TEST(Shapes, OneGroupAndGroupsOfOneSendExactlyTheFlatMessages) {
    for (int p = 2; p <= 9; ++p) {
        const Call call{.collective = Collective::allreduce, .count = 20};
        const auto flat = to_string(record(Recipe::parse("ring"), call, ranks(p)));
        EXPECT_EQ(to_string(record(Recipe::parse("leaders(G=1, ring, binomial)"), call, ranks(p))), flat);
        EXPECT_EQ(to_string(record(Recipe::parse("leaders(G=" + std::to_string(p) + ", binomial, ring)"),
                                   call, ranks(p))),
                  flat);
        EXPECT_EQ(to_string(record(Recipe::parse("positions(G=1, ring, binomial)"), call, ranks(p))), flat);
    }
}

}  // namespace
}  // namespace echelon
