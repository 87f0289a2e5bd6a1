// SPDX-License-Identifier: Apache-2.0
/// Scans over leaders, proved for all p, uneven groups, every algorithm, nested and in segments.
#include "core/checker.hpp"
#include "core/error.hpp"
#include "hier/recorded_team.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

Placement one_node(int p) { return Placement::from(std::vector<Location>(std::size_t(p))); }

Verdict proof(const char* recipe, Collective collective, int p, std::size_t count) {
    const Schedule schedule =
        record(Recipe::parse(recipe),
               {.collective = collective, .count = count, .element_size = 8, .operation = {true, false}},
               one_node(p));
    return check(schedule, {.collective = collective, .count = count, .in_order = true});
}

TEST(ScanShapes, hold_for_all_ranks_and_lengths) {
    for (const Collective collective : {Collective::scan, Collective::exscan})
        for (const char* recipe :
             {"leaders(sqrt, recursive_doubling+binomial, recursive_doubling)",
              "leaders(G=1, recursive_doubling+flat_tree, recursive_doubling)",
              "leaders(size=3, recursive_doubling+chain, recursive_doubling)",
              "leaders(size=2, recursive_doubling+binary, recursive_doubling, seg=16)",
              "leaders(size=5, leaders(size=2, recursive_doubling+binomial, recursive_doubling)+binomial, "
              "leaders(size=2, recursive_doubling+binomial, recursive_doubling))"})
            for (int p = 1; p <= 33; ++p)
                for (const std::size_t count : {0, 1, 7}) {
                    const Verdict verdict = proof(recipe, collective, p, count);
                    EXPECT_TRUE(verdict) << name(collective) << ' ' << recipe << ", p = " << p
                                         << ", count = " << count << ": " << verdict.reason;
                }
}

TEST(ScanShapes, take_the_chain_of_both_names) {
    EXPECT_TRUE(proof("leaders(size=4, chain(seg=16), recursive_doubling)", Collective::scan, 13, 9));
}

TEST(ScanShapes, need_consecutive_ranks) {
    try {
        (void)record(Recipe::parse("leaders(ranks=0+2;1+3, chain, recursive_doubling)"),
                     {.collective = Collective::scan, .count = 4}, one_node(4));
        FAIL() << "served";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "leaders(ranks=0+2;1+3, chain, recursive_doubling): its groups are not runs of consecutive ranks, "
            "and this call needs rank order");
    }
}

/// What it is for: only sums cross the groups, once each way through the leaders.
TEST(ScanShapes, send_one_sum_a_group_across) {
    const Schedule schedule =
        record(Recipe::parse("leaders(size=4, recursive_doubling+binomial, recursive_doubling)"),
               {.collective = Collective::scan, .count = 4}, one_node(16));
    int across = 0;
    for (int rank = 0; rank < 16; ++rank) {
        const Program& program = schedule.ranks[std::size_t(rank)];
        for (const Step& step : program.strands.front())
            if (step.kind == Step::Kind::send && program.peer_of(step) / 4 != rank / 4) ++across;
    }
    EXPECT_EQ(
        across,
        3 + 2);  // an exscan among 4 leaders; plain recursive doubling sends 15 + 14 + 12 + 8, most across
}

}  // namespace
}  // namespace echelon
