// SPDX-License-Identifier: Apache-2.0
/// Rows and recipes without cyclic waits, checked by recorded schedules.
#include "hier/one_way.hpp"

#include "core/error.hpp"
#include "groups/layout.hpp"
#include "hier/recorded_team.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace echelon {
namespace {

/// True if ranks wait for each other in a cycle.
bool goes_in_a_circle(const Schedule& schedule) {
    std::vector<std::set<int>> waits(schedule.ranks.size());
    for (std::size_t rank = 0; rank < waits.size(); ++rank)
        for (const Program::Strand& strand : schedule.ranks[rank].strands)
            for (const Step& step : strand)
                if (step.kind == Step::Kind::receive) waits[rank].insert(schedule.ranks[rank].peer_of(step));
    enum class Seen { no, open, done };
    std::vector<Seen> seen(waits.size(), Seen::no);
    const std::function<bool(std::size_t)> finds_one = [&](std::size_t rank) {
        if (seen[rank] != Seen::no) return seen[rank] == Seen::open;
        seen[rank] = Seen::open;
        for (const int other : waits[rank])
            if (finds_one(std::size_t(other))) return true;
        seen[rank] = Seen::done;
        return false;
    };
    for (std::size_t rank = 0; rank < waits.size(); ++rank)
        if (finds_one(rank)) return true;
    return false;
}

class OneWay : public testing::TestWithParam<const Algorithm*> {};

TEST_P(OneWay, is_said_of_rows_by_which_nobody_waits_in_a_circle) {
    const Algorithm& row = *GetParam();
    if (pattern(row.collective) == Pattern::to_all) {
        EXPECT_FALSE(row.one_way);
        return;
    }
    bool circle = false;
    for (int p = 2; p <= 17; ++p)
        for (const int root : roots_to_prove(row.collective, p)) {
            ProofCase one = proof_case(row, p, 3 * std::size_t(p) + 1);
            one.root = root;
            for (const ProofCase& variant : variants_to_prove(one))
                circle = circle || goes_in_a_circle(record(variant));
        }
    EXPECT_NE(circle, row.one_way) << "what its row says as one_way";
}

INSTANTIATE_TEST_SUITE_P(Rows, OneWay, testing::ValuesIn(all_rows()),
                         [](const auto& info) { return full_name(*info.param); });

TEST(OneWayRecipes, go_in_no_circle_and_all_others_do) {
    for (const auto& [collective, text, expected] :
         std::initializer_list<std::tuple<Collective, const char*, bool>>{
             {Collective::bcast, "leaders(node, knomial, flat_tree)", true},
             {Collective::bcast, "leaders(node, binomial, chain, seg=16)", true},
             {Collective::bcast, "positions(node, flat_tree, binomial)", true},
             {Collective::bcast, "leaders(node, flat_tree, leaders(G=2, flat_tree, chain))", true},
             {Collective::bcast, "lanes(node, linear, flat_tree)", false},
             {Collective::bcast, "leaders(node, flat_tree, lanes(G=2, linear, flat_tree))", false},
             {Collective::bcast, "leaders(node, scatter_allgather, binomial)", false},
             {Collective::reduce, "leaders(node, binomial, linear)", true},
             {Collective::reduce, "positions(node, recursive_doubling, linear)", false},
             {Collective::reduce, "lanes(node, linear, linear)", false},
             {Collective::gather, "leaders(node, linear, binomial)", true},
             {Collective::scatter, "leaders(node, binomial, linear)", true},
             {Collective::scan, "leaders(node, chain, recursive_doubling)", false},
             {Collective::allreduce, "leaders(node, binomial, linear)", false}}) {
        const Recipe recipe = Recipe::parse(text);
        EXPECT_EQ(is_one_way(recipe, collective), expected) << text;
        bool circle = false;
        for (const char* const layout : {"4x3", "2x5", "4x4 cyclic"}) {
            const Placement placement = placement_of_layout(layout);
            for (int root = 0; root < placement.size(); ++root)
                circle = circle || goes_in_a_circle(record(recipe,
                                                           {.collective = collective,
                                                            .count = 2 * std::size_t(placement.size()),
                                                            .element_size = 8,
                                                            .root = rooted(collective) ? root : 0},
                                                           placement));
        }
        EXPECT_NE(circle, expected) << name(collective) << ' ' << text;
    }
}

}  // namespace
}  // namespace echelon
