// SPDX-License-Identifier: Apache-2.0
#include "hier/phase.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

Placement ranks(int p) { return Placement::from(std::vector<Location>(std::size_t(p))); }

std::string resolved(std::string_view recipe, Collective collective, const Placement& placement,
                     Operation operation = {}) {
    try {
        return to_string(resolve(Recipe::parse(recipe), collective, placement, 0, operation));
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Phase, NamesTheAlgorithmOfEachPhase) {
    EXPECT_EQ(resolved("leaders(sqrt, binomial, ring)", Collective::allreduce, ranks(16)),
              "allreduce leaders(sqrt): reduce binomial, allreduce ring, bcast binomial");
    EXPECT_EQ(resolved("leaders(sqrt, binomial+chain(seg=8K), ring)", Collective::allreduce, ranks(16)),
              "allreduce leaders(sqrt): reduce binomial, allreduce ring, bcast chain(seg=8K)");
    EXPECT_EQ(resolved("lanes(size=4, ring, rabenseifner)", Collective::allreduce, ranks(16)),
              "allreduce lanes(size=4): reduce_scatter ring, allreduce rabenseifner, allgather ring");
    EXPECT_EQ(resolved("leaders(node, binomial, binomial)", Collective::bcast, placements("a a b b")),
              "bcast leaders(node): bcast binomial, bcast binomial");
}

TEST(Phase, AnAllreduceMayBeAReduceAndABcastOfThatName) {
    EXPECT_EQ(resolved("binomial", Collective::allreduce, ranks(4)), "[reduce binomial, bcast binomial]");
    EXPECT_EQ(resolved("binomial+chain(seg=4K)", Collective::allreduce, ranks(4)),
              "[reduce binomial, bcast chain(seg=4K)]");
}

TEST(Phase, OneGroupOrOneRankAGroupIsFlat) {
    EXPECT_EQ(resolved("leaders(G=1, ring, binomial)", Collective::allreduce, ranks(8)), "allreduce ring");
    EXPECT_EQ(resolved("leaders(G=8, binomial, ring)", Collective::allreduce, ranks(8)), "allreduce ring");
    EXPECT_EQ(resolved("positions(G=8, binomial, ring)", Collective::allreduce, ranks(8)), "allreduce ring");
    EXPECT_EQ(resolved("lanes(G=8, ring, rabenseifner)", Collective::allreduce, ranks(8)),
              "allreduce rabenseifner");
}

TEST(Phase, RefusesWithAReason) {
    const Operation ordered{.in_order = true, .exact = false};
    EXPECT_EQ(resolved("ring", Collective::allreduce, ranks(8), ordered),
              "ring: combines operands out of rank order, and this call needs rank order");
    EXPECT_EQ(
        resolved("leaders(node, binomial, recursive_doubling)", Collective::allreduce, placements("a b a b"),
                 ordered),
        "leaders(node, binomial, recursive_doubling): its groups are not runs of consecutive ranks, and this call needs rank order");
    EXPECT_NE(resolved("dissemination", Collective::allreduce, ranks(8))
                  .find("allreduce has no algorithm of this name; it has "),
              std::string::npos);
    EXPECT_NE(resolved("leaders(G=9, ring, ring)", Collective::allreduce, ranks(8)).find("9"),
              std::string::npos);
    EXPECT_EQ(
        resolved("leaders(G=2, native, binomial, seg=1K)", Collective::reduce, ranks(8)),
        "leaders(G=2, native, binomial, seg=1K): 'native' cannot take part where segments are pipelined (seg=)");
    EXPECT_EQ(resolved("leaders(G=2, binomial+ring, binomial)", Collective::reduce, ranks(8)),
              "leaders(G=2, binomial+ring, binomial): reduce has one inner phase, not two");
}

TEST(Phase, RefusesOnAllRanksAlike) {
    // The inner shape fits groups of 3 but not the group of 2: ranks of both must refuse it.
    const Recipe recipe = Recipe::parse("leaders(size=3, leaders(G=3, binomial, binomial), binomial)");
    for (int rank = 0; rank < 8; ++rank)
        EXPECT_THROW(resolve(recipe, Collective::reduce, ranks(8), rank, {}), Error) << rank;
    // Ranks alone in their group went on without the others: the schedule fitted their group but not the
    // other one.
    for (const char* const text : {"positions(sqrt, linear, recursive_multiplying(schedule=c2m2-a2-e2m2))",
                                   "positions(ranks=0+1;2, recursive_multiplying(schedule=a2), ring)"})
        for (int rank = 0; rank < 3; ++rank)
            EXPECT_THROW(resolve(Recipe::parse(text), Collective::allreduce, ranks(3), rank, {}), Error)
                << text << ", rank " << rank;
    for (int rank = 0; rank < 4; ++rank)
        EXPECT_NO_THROW(resolve(Recipe::parse("positions(size=2, recursive_multiplying(schedule=a2), ring)"),
                                Collective::allreduce, ranks(4), rank, {}));
}

}  // namespace
}  // namespace echelon
