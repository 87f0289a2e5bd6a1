// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/neighbours.hpp"
#include "groups/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echelon {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Not;

std::vector<std::string> around(const char* recipe, Collective collective, Operation operation = {}) {
    std::vector<std::string> names;
    for (const Recipe& one :
         neighbours(Recipe::parse(recipe), collective, placement_of_layout("4x4"), operation))
        names.push_back(to_string(one));
    return names;
}

TEST(Neighbours, differ_in_one_thing) {
    const auto all = around("leaders(G=4, binomial, ring)", Collective::allreduce);
    for (const char* name :
         {"leaders(G=4, chain, ring)", "leaders(G=4, native, ring)", "leaders(G=4, binomial, rabenseifner)",
          "leaders(G=4, binomial, native)", "leaders(G=2, binomial, ring)", "leaders(G=8, binomial, ring)",
          "leaders(node, binomial, ring)"})
        EXPECT_THAT(all, Contains(name));
    EXPECT_THAT(all, Not(Contains("leaders(G=4, binomial, ring)"))) << "itself";
    EXPECT_THAT(all, Not(Contains("lanes(G=4, binomial, ring)"))) << "binomial scatters no sums";
}

TEST(Neighbours, of_pairs_and_segments) {
    EXPECT_THAT(around("leaders(node, binomial+chain, ring)", Collective::allreduce),
                AllOf(Contains("leaders(node, binomial+binary, ring)"),
                      Contains("leaders(node, binary+chain, ring)")));
    EXPECT_THAT(around("chain(seg=8K)", Collective::bcast),
                AllOf(Contains("chain(seg=4K)"), Contains("chain(seg=16K)"), Contains("chain(seg=0)"),
                      Contains("ring")));
}

TEST(Neighbours, are_each_another_thing) {
    // A scatter by an algorithm without a scatter is binomial: many names of this one recipe were measured,
    // and new recipes were not.
    const auto all = around("lanes(node, binomial+ring, circulant)", Collective::bcast);
    EXPECT_THAT(all, AllOf(Contains("lanes(node, linear+ring, circulant)"),
                           Contains("lanes(node, doubling, circulant)")));
    for (const char* name : {"lanes(node, chain+ring, circulant)", "lanes(node, ring, circulant)",
                             "lanes(node, ring+ring, circulant)"})
        EXPECT_THAT(all, Not(Contains(name)));
}

TEST(Neighbours, serve_the_operation) {
    EXPECT_THAT(around("ring", Collective::allreduce, {.in_order = true, .exact = true}),
                Not(Contains("circulant")));
}

}  // namespace
}  // namespace echelon
