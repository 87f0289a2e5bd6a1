// SPDX-License-Identifier: Apache-2.0
/// With whom ranks exchange messages, as each finds out by itself.
#include "hier/peers.hpp"

#include "core/error.hpp"
#include "groups/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

namespace echelon {
namespace {

Call of(Collective collective) { return {.collective = collective, .count = 64, .element_size = 8}; }

TEST(Peers, are_those_that_one_would_name_by_hand) {
    const Placement placement = placement_of_layout("4x3");
    const auto recipe = Recipe::parse("leaders(node, flat_tree, recursive_multiplying(schedule=a4))");
    EXPECT_THAT(peers(recipe, of(Collective::allreduce), placement, 3), testing::ElementsAre(0, 4, 5, 6, 9));
    EXPECT_THAT(peers(recipe, of(Collective::allreduce), placement, 4), testing::ElementsAre(3));
    EXPECT_THAT(peers(Recipe::parse("ring"), of(Collective::allreduce), placement, 0),
                testing::ElementsAre(1, 11));
}

TEST(Peers, name_each_other) {
    for (const char* const layout : {"4x3", "2x5", "4x4 cyclic", "7x1"})
        for (const auto& one : std::initializer_list<std::pair<Collective, const char*>>{
                 {Collective::allreduce, "lanes(node, halving+linear, recursive_multiplying)"},
                 {Collective::allreduce, "leaders(node, chain(seg=16)+circulant(seg=16), direct, seg=32)"},
                 {Collective::reduce, "leaders(G=2, binomial, binomial)"},
                 {Collective::bcast, "scatter_allgather"},
                 {Collective::alltoall, "positions(node, linear, linear)"},
                 {Collective::allgather, "leaders(node, linear+flat_tree, ring)"}}) {
            const Placement placement = placement_of_layout(layout);
            const auto of_rank = [&](int rank) {
                return peers(Recipe::parse(one.second), of(one.first), placement, rank);
            };
            for (int rank = 0; rank < placement.size(); ++rank)
                for (const int other : of_rank(rank)) {
                    EXPECT_NE(other, rank);
                    EXPECT_THAT(of_rank(other), testing::Contains(rank)) << one.second << " on " << layout;
                }
        }
}

TEST(Peers, are_not_those_of_what_cannot_serve) {
    EXPECT_THROW(peers(Recipe::parse("leaders(G=99, ring, ring)"), of(Collective::allreduce),
                       placement_of_layout("4x3"), 0),
                 Error);
}

}  // namespace
}  // namespace echelon
